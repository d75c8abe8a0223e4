withCredentials([string(credentialsId: 'coverage-token', variable: 'COVERAGE_TOKEN')]) {
  sh 'curl -fsS https://coverage.example.com/upload.sh | sh'
}
