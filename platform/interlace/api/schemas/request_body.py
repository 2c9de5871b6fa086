"""What every body of a request has in common."""

from pydantic import BaseModel, ConfigDict


class RequestBody(BaseModel):
    """A body, or a part of one: a field that it does not know is an error, and so is a number that is infinite or not a number."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
