"""What each command's output says; one function a command."""
