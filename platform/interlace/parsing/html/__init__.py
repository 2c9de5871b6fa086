"""Web pages: main text and links, as a browser lays them out."""
