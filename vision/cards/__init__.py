"""Cards under the camera: taught, described, recognised."""
