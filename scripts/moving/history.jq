# Converts records of any source to lines: drops invalid records, and keeps only the newest of each commit.
#
# A record has the field names of the file that `coverage-dashboard import` reads. Unknown values are null.

# Splits an RFC 3339 time into parts; a time without a zone is UTC. Null for other values.
def parts:
  [strings | capture("^(?<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?<fraction>([.][0-9]+)?)(?<zone>(Z|[+-][0-9]{2}:?[0-9]{2})?)$")]
  | first
  | if . == null then null else .zone |= if . == "" or . == "Z" then "+00:00" else .[0:3] + ":" + .[-2:] end end;

# The time as `import` reads it.
def time: parts | if . == null then null else "\(.day)T\(.time)\(.fraction)\(.zone)" end;

# Seconds since 1970, to compare times of different zones.
def seconds:
  parts
  | if . == null then 0 else
      ("\(.day)T\(.time)Z" | try fromdateiso8601 catch 0) + ("0\(.fraction)" | tonumber)
      - ((.zone[1:3] | tonumber) * 3600 + (.zone[4:] | tonumber) * 60) * (if .zone[0:1] == "-" then -1 else 1 end)
    end;

# `import` accepts digits and a point only, so a very small number must not have an exponent. Only full coverage is 100, and only
# no coverage is 0.
def percent: if . <= 0 or . >= 100 then . else [[(. * 10000 | round) / 10000, 0.0001] | max, 99.9999] | min end;

# Removes the counts unless both exist and the total is over 0.
def counts($covered; $total):
  if (.[$covered] | type) == "number" and (.[$total] | type) == "number" and .[$total] > 0 then . else del(.[$covered], .[$total]) end;

def why_not:
  if (.branch_name // "") == "" then "without a branch"
  elif (.commit_hash // "") == "" then "without a commit"
  elif (.percentage | type) != "number" then "without a percentage"
  elif .created_at == null then "without a time"
  else null end;

def repository: "\(.org_name)/\(.repo_name)" | ascii_downcase;

# Returns {lines, left_out} for a list of records. Of several records of one commit, branch and language it keeps the newest.
#
# If pages shift during the export, some records come twice; `unique` removes the copies.
def history:
  unique | map(.created_at |= time | .updated_at |= time | if .commit_author == "" then .commit_author = null else . end)
  | map(. + {why: why_not})
  | (map(select(.why == null))
      | group_by([repository, .branch_name, .commit_hash, .language])
      | {newest: map(max_by([(.updated_at // .created_at | seconds), .id // 0])), all: (map(length) | add // 0)}) as $kept
  | {
      lines: ($kept.newest | sort_by([repository, (.created_at | seconds), .id // 0]) | map(
        .percentage |= percent
        | counts("lines_covered"; "lines_total") | counts("branches_covered"; "branches_total")
        | del(.why, .id) | with_entries(select(.value != null)))),
      left_out: (
        [map(.why | strings) | group_by(.)[] | "\(length) \(first)"]
        + [$kept.all - ($kept.newest | length) | select(. > 0) | "\(.) replaced by a newer record of the same commit"])
    };
