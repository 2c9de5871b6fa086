"""Pages in a browser, as tests use them."""

from collections.abc import Callable
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 180
WINDOW = {"width": 1120, "height": 900, "deviceScaleFactor": 1, "mobile": False}


class Page:
    """What is drawn in a window; conditions are waited for."""

    def __init__(self, chrome: Chrome, window: dict[str, Any]) -> None:
        self.chrome = chrome
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)

    def find(self, selector: str) -> list[WebElement]:
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def until(self, condition: Callable[[], Any], every: float = 0.5) -> Any:
        waiting = WebDriverWait(self.chrome, SECONDS, every, ignored_exceptions=[StaleElementReferenceException])
        return waiting.until(lambda _: condition())


class ExplorePage(Page):
    """The explore page, for one tenant."""

    def __init__(self, chrome: Chrome, address: str, tenant: str) -> None:
        super().__init__(chrome, WINDOW)
        self.address = address
        chrome.get(address)
        chrome.execute_script("sessionStorage.setItem('tenant', arguments[0])", tenant)
        chrome.refresh()

    def open(self, place: str) -> None:
        """Go to a place, and wait until all of it is drawn; what was drawn before it stays until the page learns where it is."""
        self.chrome.execute_script("document.querySelector('main > div').setAttribute('data-before', '')")
        self.chrome.get(f"{self.address}/#/{place}")
        self.until(lambda: not self.find("main > [data-before], main[aria-busy]"))

    def text(self) -> str:
        return self.find("main")[0].text

    def complaints(self) -> list[str]:
        """Return what the browser's console holds but notes of answers with a status: refusals by the policy, errors in scripts."""
        entries: list[dict[str, str]] = self.chrome.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if "Failed to load resource" not in entry["message"]]
