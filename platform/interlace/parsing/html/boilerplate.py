"""Boilerplate of web pages: what a page itself marks as navigation, by element, ARIA role, and the words of ``class`` and ``id``."""

import re
from collections.abc import Callable

from selectolax.lexbor import LexborNode

_ELEMENTS = frozenset({"nav", "aside", "footer", "dialog"})
_ROLES = frozenset({"navigation", "complementary", "contentinfo", "search", "dialog", "alertdialog"})
_NAMED = frozenset(
    {"div", "section", "ul", "ol", "dl", "p", "span", "form", "table", "header", "li", "td", "h2", "h3", "h4", "a"}
)
# Documentation generators derive the ids of these elements from headings: a section about cookies is no cookie notice.
_IDS_ARE_WORDS = frozenset({"section", "h2", "h3", "h4", "p", "a", "li"})
# Words that mark boilerplate anywhere in a name, and those that do only as a whole name, as in ``footer``, ``site-nav`` or ``menu-wrapper``.
_ANYWHERE = (
    r"about-?author|advert\w*|akismet\w*|author-?(?:bio|box|info)|blogroll|bread-?crumbs?|catlinks|comment-?form|cookies?|cookie-?\w+|copyright|disqus\w*|"
    r"interesting-articles|login|most-?(?:popular|read)|newsletters?|noprint|outbrain|photo-credits|popular-?posts|post-?tags|prev-?next|recommend(?:ations?|ed)|"
    r"related\w*|respond|shar(?:e|ing)|share-?\w+|side-?bar\w*|sign-?up|sociable|social|social-?\w+|sponsor(?:ed)?|subscribe|subscription|taboola|tag-?cloud|"
    r"tag-?list|teasers?|trending|widget-?area|widgets"
)
_ALONE = (
    r"ads?|anzeigen?|article-?(?:footer|meta|tools)|banner|categories|comments-?link|entry-?(?:footer|meta|tools)|foot|footer|menu|nav|navbar|navbox|navi|"
    r"navigation|page-?footer|pager|pagination|popup|post-?meta|promo|promotions?|search-?(?:box|form)|site-?footer|skip-?links?|sub-?menu|subnav|tags|toolbar"
)
_PARTS = r"area|bar|block|bottom|box|container|inner|items?|left|links?|list|main|primary|right|secondary|section|top|wrap(?:per)?|\d+"
_NAMES = re.compile(
    rf"(?:^|[\s_-])(?:{_ANYWHERE})(?=$|[\s_-])|(?:^|\s)(?:[a-z]{{1,10}}[_-])?(?:{_ALONE})(?:[_-]+(?:{_PARTS})){{0,6}}(?=$|\s)",
    re.IGNORECASE,
)
_MENU = re.compile(r"(?:^|[\s_-])(?:menu|nav|navbar|navi|navigation)(?=$|[\s_-])", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_CHARACTERS = 300
# Values of ``rel`` of the links of a pager, and the most that may stand beside these, such as "Next:" and "Up:".
_STEPS = frozenset({"contents", "first", "index", "last", "next", "prev", "previous", "start", "top", "up"})
_BESIDE_STEPS = 20  # characters for each link
_MAX_SHARE_OF_PAGE = 0.25
_MOSTLY_LINKS = 0.9


def boilerplate_of(root: LexborNode) -> Callable[[LexborNode], bool]:
    """Return a predicate for elements below a root that are boilerplate.

    A name alone drops neither the page's heading nor a quarter of its text, unless that is a menu of links: sites also name an article's
    wrapper ``social`` or ``widgets``.
    """
    most = len(root.text()) * _MAX_SHARE_OF_PAGE

    def is_boilerplate(node: LexborNode) -> bool:
        if node.tag in _ELEMENTS or node.attributes.get("role") in _ROLES or _is_pager(node):
            return True
        return _is_named(node) and node.css_first("h1") is None and (len(node.text()) < most or _is_menu(node))

    return is_boilerplate


def _is_pager(node: LexborNode) -> bool:
    """Return whether an element is little more than links that lead to the pages before, after and above this one, as they say themselves."""
    links = [child for child in node.iter() if child.tag == "a"]
    steps = sum(not _STEPS.isdisjoint((link.attributes.get("rel") or "").split()) for link in links)
    if not 0 < steps == len(links):
        return False
    return _letters(node) - sum(map(_letters, links)) <= _BESIDE_STEPS * len(links)


def _is_menu(node: LexborNode) -> bool:
    """Return whether an element is called a menu and nearly all of its text is links, however much of a short page it is."""
    names = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
    linked = sum(map(_letters, node.css("a[href]")))
    return _MENU.search(names) is not None and linked > _MOSTLY_LINKS * _letters(node)


def _letters(node: LexborNode) -> int:
    """Return how many characters an element has that are no white space."""
    return len("".join(node.text().split()))


def _is_named(node: LexborNode) -> bool:
    tag, attributes = node.tag, node.attributes
    if tag not in _NAMED:
        return False
    names = attributes.get("class") or ""
    is_section = tag in _IDS_ARE_WORDS or "section" in names.split()
    if any(
        _NAMES.search(_CAMEL.sub("-", name[:_NAME_CHARACTERS]))
        for name in (names, "" if is_section else attributes.get("id") or "")
    ):
        return True
    return (attributes.get("style") or "").replace(" ", "").startswith("display:none")
