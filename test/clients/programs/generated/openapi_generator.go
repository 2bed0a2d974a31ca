// What a user writes with the Go client of openapi-generator, which is the package `quittance` beside this file.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example.test/use/quittance"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var tip quittance.TipRecordRequest
	must(json.Unmarshal([]byte(os.Getenv("TIP")), &tip))
	configuration := quittance.NewConfiguration()
	configuration.Servers = quittance.ServerConfigurations{{URL: os.Getenv("BASE")}}
	configuration.AddDefaultHeader("X-API-Key", os.Getenv("KEY"))
	api, ctx := quittance.NewAPIClient(configuration).ReceiptsAPI, context.Background()

	recorded, _, err := api.PostRecordTip(ctx).TipRecordRequest(tip).Execute()
	must(err)
	receipt, _, err := api.GetReceipt(ctx, recorded.ReceiptId).Execute()
	must(err)
	page, _, err := api.Receipts(ctx).Reference(tip.Reference).Since("2020-01-01").Execute()
	must(err)
	_, absent, err := api.GetReceipt(ctx, os.Getenv("ABSENT")).Execute()
	if err == nil {
		panic("an absent receipt was found")
	}
	listed := [][]any{}
	for _, item := range page.Items {
		listed = append(listed, []any{item.Id == recorded.ReceiptId, item.Amount})
	}
	told, err := json.Marshal(map[string]any{
		"read": receipt.Id == recorded.ReceiptId, "listed": listed, "absent": absent.StatusCode,
	})
	must(err)
	fmt.Println(string(told))
}
