"""Moments in words."""


def moment_text(moment):
    """A moment as text, in UTC to the second: "2026-03-05T09:00:00Z". Pages show it in the reader's own time."""
    day = moment // 86400 + 719468  # days since 1 March of the year 0, so that leap days come last
    era = day // 146097
    of_era = day - era * 146097
    year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (1 if month <= 2 else 0)
    clock = moment % 86400
    return (
        f"{year:04d}-{month:02d}-{of_year - (153 * shifted + 2) // 5 + 1:02d}"
        f"T{clock // 3600:02d}:{clock // 60 % 60:02d}:{clock % 60:02d}Z"
    )
