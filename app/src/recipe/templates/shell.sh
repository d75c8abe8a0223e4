tar -czf coverage.tar.gz htmlcov coverage.xml
curl --fail-with-body -H "Authorization: Bearer $COVERAGE_TOKEN" -F file=@coverage.tar.gz \
  --url-query org_name=acme \
  --url-query repo_name=payments \
  --url-query "branch_name=$BRANCH" \
  --url-query "commit_hash=$COMMIT" \
  --url-query "commit_author=$AUTHOR" \
  --url-query language=python \
  --url-query coverage_xml_file_name=coverage.xml \
  https://coverage.example.com/coverages-api
