"""The phone page: TypeScript sources, built into `dist/` by the build hook."""
