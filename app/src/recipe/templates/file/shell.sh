curl -fsS https://coverage.example.com/upload.sh | sh
