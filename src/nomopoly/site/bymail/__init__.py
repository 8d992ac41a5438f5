"""Play by mail: answers to notices become orders, on the same path as those from pages."""

DONE, DATA_ERROR, TRY_LATER = 0, 65, 75  # sysexits.h, as mail servers read them from a pipe
