"""Play by mail: answers to notices become orders, on the same path as those from pages."""
