"""What commands print for people: one module for each kind of answer."""
