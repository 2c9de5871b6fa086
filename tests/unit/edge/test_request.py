"""Query parameters of a request."""

import pytest

from interlace_edge.errors import EdgeError
from interlace_edge.request import check_parameters


def test_known_parameters_are_accepted() -> None:
    check_parameters({"wait": "true", "timeout": "5"})


@pytest.mark.parametrize(
    ("name", "value"), [("wait", "false"), ("timeout", "0"), ("timeout", "x"), ("ordering", "weak"), ("fast", "true")]
)
def test_others_are_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(EdgeError, match=f"`{name}`") as refused:
        check_parameters({name: value})
    assert refused.value.status == 400
