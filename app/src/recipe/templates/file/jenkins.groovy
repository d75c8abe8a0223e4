pipeline {
  agent any // It has git, curl, tar and what the tests need. Its clone has the whole history, where the changed lines start.
  stages {
    stage('Coverage') {
      steps {
        sh '''
          @tests@
        '''
        withCredentials([string(credentialsId: 'coverage-token', variable: 'COVERAGE_TOKEN')]) {
          sh 'curl -fsS https://coverage.example.com/upload.sh | sh -s -- --fail-on gate'
        }
      }
    }
  }
}
