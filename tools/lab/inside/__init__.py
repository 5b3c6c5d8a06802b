"""What runs inside the machine, with nothing but Debian's Python: hands on the devices the kernel makes believe."""
