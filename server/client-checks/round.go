// A round through the service with a client generated from its description. Prints what it found as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"example.org/normtrace/api"
	openapi_types "github.com/oapi-codegen/runtime/types"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func given[T any](value *T, answer *http.Response) T {
	if value == nil {
		log.Fatalf("%s answered %s", answer.Request.URL, answer.Status)
	}
	return *value
}

func main() {
	ctx := context.Background()
	service, file, email := os.Args[1], os.Args[2], os.Args[3]
	base := service + "/api/v1"
	anyone := must(api.NewClientWithResponses(base))
	signedUp := must(anyone.SignUpWithResponse(ctx, api.SignUp{
		Email: openapi_types.Email(email), Password: "correct horse battery", Name: "Go",
	}))
	token := given(signedUp.JSON201, signedUp.HTTPResponse).AccessToken
	client := must(api.NewClientWithResponses(base, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		})))

	made := must(client.CreateWorkspaceWithResponse(ctx, nil, api.NewWorkspace{Name: "Go"}))
	workspace := given(made.JSON201, made.HTTPResponse).Id
	catalog := "iso-26262-3-2018"
	adopted := must(client.CreateStandardWithResponse(ctx, nil, api.NewStandard{WorkspaceId: workspace, CatalogId: &catalog}))
	standard := given(adopted.JSON201, adopted.HTTPResponse)

	content := must(os.ReadFile(file))
	announced := must(client.AnnounceWorkProductWithResponse(ctx, nil, api.WorkProductUpload{
		WorkspaceId: workspace, Filename: "document.md", ContentType: "text/markdown", Size: len(content),
	}))
	session := given(announced.JSON201, announced.HTTPResponse)
	put := must(http.NewRequest(http.MethodPut, session.UploadUrl, bytes.NewReader(content)))
	for name, value := range session.Headers {
		put.Header.Set(name, value)
	}
	must(http.DefaultClient.Do(put))
	completed := must(client.CompleteWorkProductUploadWithResponse(ctx, session.FileId))
	given(completed.JSON200, completed.HTTPResponse)
	for {
		one := must(client.GetWorkProductWithResponse(ctx, session.FileId, nil))
		if given(one.JSON200, one.HTTPResponse).ProcessingStatus == "completed" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}

	started := must(client.StartGapAnalysisWithResponse(ctx, nil, api.StartGapAnalysis{
		WorkspaceId: workspace, StandardId: standard.Id,
	}))
	analysis := result(ctx, client, given(started.JSON202, started.HTTPResponse).Id)

	pages, listed, limit := 0, 0, 2
	for cursor := ""; ; {
		answer := must(client.ListGapsWithResponse(ctx, &api.ListGapsParams{
			WorkspaceId: &workspace, Limit: &limit, Cursor: &cursor,
		}))
		page := given(answer.JSON200, answer.HTTPResponse)
		pages, listed = pages+1, listed+len(page.Items)
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	fmt.Println(string(must(json.Marshal(map[string]any{
		"type": analysis.Type, "gaps": analysis.GapsTotal, "listed": listed, "pages": pages,
		"verdicts": len(analysis.Verdicts),
	}))))
}

// The run with its result, when it has ended: the shape follows from its type.
func result(ctx context.Context, client *api.ClientWithResponses, id openapi_types.UUID) api.GapAnalysisDetail {
	for {
		answer := must(client.GetAnalysisWithResponse(ctx, id, nil))
		detail := given(answer.JSON200, answer.HTTPResponse)
		value, isRun := must(detail.ValueByDiscriminator()).(api.GapAnalysisDetail)
		if !isRun {
			log.Fatal("the run is of another type")
		}
		switch value.Status {
		case "completed":
			return value
		case "queued", "running":
			time.Sleep(100 * time.Millisecond)
		default:
			log.Fatalf("the run is %s", value.Status)
		}
	}
}
