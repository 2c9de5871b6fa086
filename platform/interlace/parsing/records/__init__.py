"""Records: JSON objects, chats and tables, and files of many of them."""
