"""How the player's LED board is wired and what it shows, kept in a file of its own.

    lights.json  {"v": 1, "order": {place: [lights]} or null, "layer": name or null (in turns),
                  "still": bool, "night": bool, "port": {"device", "vendor", "product", "serial"}}

`order` is null until it was told: then three lights a place in the printed order of the places, or
one where the board has fewer than 33.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.adapters.home import home
from assistant.adapters.safe_files import replace_file, set_aside
from assistant.adapters.whole_file import read_json
from assistant.core.errors import DamagedError, MissingError
from assistant.core.terms import Location
from assistant.present.lights import LAYERS, Layer, Look
from hardware.lights import MOST_LIGHTS
from hardware.ports import Port, UsbId

#: For each place its lights' numbers on the strip: one, or three in the order of the layers.
Order = Mapping[Location, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class LightSettings:
    """What the file holds. `port` is the last board that answered, for `--leds auto`."""

    order: Order | None = None
    layer: Layer | None = Layer.YOUTH
    still: bool = False
    night: bool = False
    port: Port | None = None

    def order_for(self, lights: int | None) -> Order:
        """Return the order of the lights; where none was told, by what the board has."""
        if self.order is not None:
            return self.order
        each = len(LAYERS) if lights is None or lights >= len(LAYERS) * len(Location) else 1
        return printed_order(each)

    def look(self, order: Order) -> Look:
        """Return how the lights are wanted with this order."""
        per_place = len(next(iter(order.values())))
        return Look(per_place, self.layer, still=self.still, night=self.night)


def printed_order(per_place: int) -> Order:
    """Return the order of a strip that runs through the places as they are printed."""
    return {
        place: tuple(range(number * per_place, (number + 1) * per_place))
        for number, place in enumerate(Location)
    }


def check_order(order: Order) -> None:
    """Refuse an order that cannot be.

    Raises:
        ValueError: a place is missing, a light is told twice, or places differ in their number.
    """
    missing = [place.value for place in Location if place not in order]
    if missing:
        raise ValueError(f"no light is told for {', '.join(missing)}")
    if {len(lights) for lights in order.values()} not in ({1}, {len(LAYERS)}):
        raise ValueError("each place has one light, or each has three")
    told = [light for lights in order.values() for light in lights]
    if len(set(told)) < len(told) or not all(0 <= light < MOST_LIGHTS for light in told):
        raise ValueError(f"each light belongs to one place, and they are 0 to {MOST_LIGHTS - 1}")


def settings_file() -> Path:
    """Return the file, which need not exist."""
    return home() / "lights.json"


def load_light_settings(tell: Callable[[str], None] | None = None) -> LightSettings:
    """Return what the file holds, or the defaults where there is none.

    With `tell`, a file that cannot be understood is set aside under another name, that is told in
    one line, and the defaults are returned: play goes on.

    Raises:
        DamagedError: the file cannot be understood, and there is nobody to tell.
    """
    path = settings_file()
    try:
        return _parse(read_json(path))
    except FileNotFoundError:
        return LightSettings()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{path} cannot be used ({' '.join(str(error).split())})"
        if tell is None:
            raise DamagedError(f"{why}; delete it to begin anew") from error
        try:
            tell(f"{why}; it is set aside as {set_aside(path, 'bad').name}, the defaults are used")
        except OSError:
            tell(f"{why}; the defaults are used")
        return LightSettings()


def save_light_settings(settings: LightSettings) -> None:
    """Write the file.

    Raises:
        MissingError: it cannot be written.
    """
    path = settings_file()
    order = settings.order
    port = settings.port
    text = {
        "v": 1,
        "order": None if order is None else {p.value: list(order[p]) for p in Location},
        "layer": None if settings.layer is None else settings.layer.value,
        "still": settings.still,
        "night": settings.night,
        "port": None if port is None else _port_fields(port),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, (json.dumps(text, indent=1, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise MissingError(f"{path} cannot be written ({error.strerror})") from error


def remember_port(port: Port) -> None:
    """Keep a board that answered for `--leds auto`; a file that cannot be used stays as it is.

    Raises:
        MissingError: the file cannot be read or written.
    """
    settings = load_light_settings()
    if settings.port != port:
        save_light_settings(replace(settings, port=port))


def _port_fields(port: Port) -> dict[str, Any]:
    return {
        "device": port.device,
        "vendor": port.usb.vendor,
        "product": port.usb.product,
        "serial": port.usb.serial_number,
        "description": port.description,
    }


def _parse(text: Any) -> LightSettings:
    if text["v"] != 1:
        raise ValueError(f"version {text['v']} is not known")
    order = text["order"]
    if order is not None:
        order = {Location(name): tuple(map(int, lights)) for name, lights in order.items()}
        check_order(order)
    port = text["port"]
    return LightSettings(
        order=order,
        layer=None if text["layer"] is None else Layer(text["layer"]),
        still=bool(text["still"]),
        night=bool(text["night"]),
        port=None if port is None else _parse_port(port),
    )


def _parse_port(fields: Mapping[str, Any]) -> Port:
    serial = fields["serial"]
    usb = UsbId(
        int(fields["vendor"]), int(fields["product"]), None if serial is None else str(serial)
    )
    return Port(str(fields["device"]), usb, str(fields["description"]))
