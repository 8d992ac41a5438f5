"""What the house says in other languages than English: sentences recognised by their wording, and the command line."""
