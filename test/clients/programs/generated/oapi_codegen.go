// What a user writes with the Go client of oapi-codegen, which is the package `quittance` beside this file. The document
// is also loaded and checked by kin-openapi, on which servers and gateways in Go are built.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.test/use/quittance"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	document, err := openapi3.NewLoader().LoadFromFile("openapi.json")
	must(err)
	must(document.Validate(ctx))

	var tip quittance.TipRecordRequest
	must(json.Unmarshal([]byte(os.Getenv("TIP")), &tip))
	key := func(_ context.Context, req *http.Request) error {
		req.Header.Set("X-API-Key", os.Getenv("KEY"))
		return nil
	}
	client, err := quittance.NewClientWithResponses(os.Getenv("BASE"), quittance.WithRequestEditorFn(key))
	must(err)

	recorded, err := client.PostRecordTipWithResponse(ctx, nil, tip)
	must(err)
	id := recorded.JSON200.ReceiptId
	receipt, err := client.GetReceiptWithResponse(ctx, id)
	must(err)
	since := "2020-01-01"
	page, err := client.ReceiptsWithResponse(ctx, &quittance.ReceiptsParams{Reference: &tip.Reference, Since: &since})
	must(err)
	absent, err := client.GetReceiptWithResponse(ctx, uuid.MustParse(os.Getenv("ABSENT")))
	must(err)
	listed := [][]any{}
	for _, item := range page.JSON200.Items {
		listed = append(listed, []any{item.Id == id, item.Amount})
	}
	told, err := json.Marshal(map[string]any{
		"read": receipt.JSON200.Id == id, "listed": listed, "absent": absent.StatusCode(),
	})
	must(err)
	fmt.Println(string(told))
}
