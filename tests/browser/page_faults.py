"""What is wrong with a page that is open: what sticks out of it at its side, and what axe finds against WCAG 2.2 AA.

A script may measure a page whose style sheet is still on its way. Both wait until everything has come.
"""

from axe_playwright_python.sync_playwright import Axe

STANDARD = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],  # what is right is not listed, which takes as long as the rest
}
AXE = Axe().axe_script
MOST_ELEMENTS = 2000  # of a page that is looked at in the dark too
CONTRAST = {**STANDARD, "runOnly": {"type": "rule", "values": ["color-contrast"]}}


def too_wide(page) -> int:
    """By how many pixels the page is wider than the window; 0 if it fits."""
    page.wait_for_load_state("load")
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def with_large_text(page) -> None:
    """Shows the page with letters of twice the size, as a reader may ask for."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")


def wrong_by_axe(page) -> list[str]:
    """One line for each fault that axe finds: the rule, the element and what to do."""
    return faults(page, STANDARD)


def too_faint_in_the_dark(page) -> list[str]:
    """The same of text that cannot be read well enough by those who like dark pages; of a page that is not very long.

    It takes as long as all the rest, and a long page has much of the same.
    """
    if page.evaluate("document.getElementsByTagName('*').length") > MOST_ELEMENTS:
        return []
    page.emulate_media(color_scheme="dark")
    found = faults(page, CONTRAST)
    page.emulate_media(color_scheme="light")
    return found


def faults(page, options) -> list[str]:
    """One line for each fault that axe finds with these options."""
    page.wait_for_load_state("load")
    if not page.evaluate("'axe' in window"):  # half a megabyte, which takes as long to read as a small page to check
        page.evaluate(AXE)
    violations = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{each['id']}: {node['html'][:200]} ({node['failureSummary']})"
        for each in violations
        for node in each["nodes"]
    ]
