// What a user writes with the Java client of openapi-generator, which is the package `quittance` beside this file.
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import quittance.ApiClient;
import quittance.ApiException;
import quittance.api.ReceiptsApi;
import quittance.model.TipRecordRequest;

public class Use {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE"));
    client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("KEY")));
    ReceiptsApi api = new ReceiptsApi(client);
    TipRecordRequest tip = client.getObjectMapper().readValue(System.getenv("TIP"), TipRecordRequest.class);

    UUID id = api.postRecordTip(tip, (String) null).getReceiptId();
    boolean read = api.getReceipt(id).getId().equals(id);
    List<List<Object>> listed = api
        .receipts(null, null, null, tip.getReference(), "2020-01-01", null, null, null, null)
        .getItems().stream()
        .map(item -> List.<Object>of(item.getId().equals(id), item.getAmount()))
        .toList();
    int absent = 200;
    try {
      api.getReceipt(UUID.fromString(System.getenv("ABSENT")));
    } catch (ApiException error) {
      absent = error.getCode();
    }
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("read", read);
    told.put("listed", listed);
    told.put("absent", absent);
    System.out.println(client.getObjectMapper().writeValueAsString(told));
  }
}
