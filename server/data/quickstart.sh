API=${API:-http://127.0.0.1:8000/api/v1}
JSON='content-type: application/json'
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
get() { curl -fsS -H "authorization: Bearer $TOKEN" "$API$1"; }
post() { curl -fsS -H "authorization: Bearer $TOKEN" -H "$JSON" -d "$2" "$API$1"; }

# You, a workspace, and the outline of a standard that comes with the product
TOKEN=$(curl -fsS -H "$JSON" "$API/auth/sign-up" \
  -d '{"email": "jo@example.org", "password": "correct horse battery", "name": "Jo"}' | field access_token)
WORKSPACE=$(post /workspaces '{"name": "Sliding door"}' | field id)
STANDARD=$(post /standards "{\"workspace_id\": \"$WORKSPACE\", \"catalog_id\": \"iso-26262-3-2018\"}" | field id)

# A document: announced, sent to a signed address, completed, read
FILE=demo/documents/03_Functional_Safety_Concept.docx
SESSION=$(post /work-products/uploads/init "{\"workspace_id\": \"$WORKSPACE\", \"filename\": \"${FILE##*/}\",
  \"size\": $(wc -c < $FILE), \"content_type\": \"application/octet-stream\"}")
curl -fsS -H 'content-type: application/octet-stream' --upload-file $FILE "$(echo "$SESSION" | field upload_url)"
DOCUMENT=$(echo "$SESSION" | field file_id)
post "/work-products/uploads/$DOCUMENT/complete" '' > /dev/null
until [ "$(get "/work-products/$DOCUMENT" | field processing_status)" = completed ]; do sleep 1; done

# An analysis, and its worst gap
RUN=$(post /analysis/gaps "{\"workspace_id\": \"$WORKSPACE\", \"standard_id\": \"$STANDARD\"}" | field id)
until [ "$(get "/analysis/analyses/$RUN" | field status)" = completed ]; do sleep 1; done
get "/analysis/gaps?workspace_id=$WORKSPACE&sort=-severity&limit=1"
