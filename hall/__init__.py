"""The hall: many tables, one scoreboard. It knows the tables only by the messages of `companion.wire.hall`."""
