withCredentials([string(credentialsId: 'coverage-token', variable: 'COVERAGE_TOKEN')]) {
  withEnv(['COVERAGE_URL=https://coverage.example.com', 'ORG=acme', 'REPO=payments']) {
    sh '''
      tar -czf coverage.tar.gz htmlcov coverage.xml
      curl --fail-with-body -H "Authorization: Bearer $COVERAGE_TOKEN" -F file=@coverage.tar.gz \
        --url-query "org_name=$ORG" --url-query "repo_name=$REPO" \
        --url-query "branch_name=${CHANGE_BRANCH:-$BRANCH_NAME}" --url-query "commit_hash=$(git rev-parse HEAD)" \
        --url-query "commit_author=$(git log -1 --format=%an)" --url-query language=python \
        --url-query coverage_xml_file_name=coverage.xml "$COVERAGE_URL/coverages-api"
    '''
  }
}
