"""A name for the table on the local network (`tableside.local`), beside the address in the QR code.

An extra: many networks and phones do not carry multicast, so nothing rests on it and nothing waits for it.
"""

from __future__ import annotations

import ipaddress
import logging
import threading

from zeroconf import Error, ServiceInfo, Zeroconf

from companion.door.page_server import host_name

__all__ = ["Announcement", "host_name"]
log = logging.getLogger("tableside.mdns")

KIND = "_http._tcp.local."
JOIN_SECONDS = 3.0


class Announcement:
    """Says the table's name until `stop`; started and ended in a thread of its own, because probing takes a second."""

    def __init__(self, table: str, title: str, address: str, port: int) -> None:
        packed = ipaddress.ip_address(address).packed
        name = f"{title or 'Tableside'} ({table}).{KIND}"
        self.info = ServiceInfo(
            KIND, name, port=port, addresses=[packed], server=host_name(table), properties={"path": "/"}
        )
        self._address = address
        self._stop = threading.Event()
        self.announced = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mdns", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            zeroconf = Zeroconf(interfaces=[self._address])
        except OSError as wrong:
            log.info("no name on this network: %s", wrong)
            return
        try:
            zeroconf.register_service(self.info, allow_name_change=True)
            self.announced.set()
            self._stop.wait()
            zeroconf.unregister_service(self.info)
        except (Error, OSError) as wrong:
            log.info("the table's name could not be announced: %s", wrong)
        finally:
            zeroconf.close()

    def stop(self) -> None:
        """Take the name back."""
        self._stop.set()
        self._thread.join(JOIN_SECONDS)
