"""The table's name on the local network."""

from __future__ import annotations

from zeroconf import Zeroconf

from companion.door.mdns import KIND, Announcement, host_name
from tests.conftest import PATIENCE, until


def test_the_table_is_found_by_name_and_takes_it_back() -> None:
    """Another machine resolves the name to address and port; after `stop` it is gone."""
    table = Announcement("table", "Kitchen", "127.0.0.1", 8780)
    assert table.announced.wait(PATIENCE)
    phone = Zeroconf(interfaces=["127.0.0.1"])
    try:
        found = phone.get_service_info(KIND, table.info.name, timeout=int(1000 * PATIENCE))
        assert found is not None
        assert (found.server, found.port, found.parsed_addresses()) == ("tableside.local.", 8780, ["127.0.0.1"])
        table.stop()
        until(lambda: phone.get_service_info(KIND, table.info.name, timeout=500) is None, what="the name taken back")
    finally:
        table.stop()
        phone.close()


def test_tables_of_one_house_have_different_names() -> None:
    """The only table is simply `tableside.local`."""
    assert host_name("table") == "tableside.local."
    assert host_name("blue") == "tableside-blue.local."


def test_an_address_that_is_not_here_costs_nothing() -> None:
    """No such interface: the table plays on without a name."""
    nowhere = Announcement("table", "", "192.0.2.1", 8780)
    nowhere.stop()
    assert not nowhere.announced.is_set()
