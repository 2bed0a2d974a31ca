// hbci4j, the library of Hibiscus, reads every .xml file of a folder that it has a parser for, and prints what it read:
// a line of JSON with "file" for each, or "error".
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.file.Files;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.kapott.hbci.GV.parsers.ISEPAParser;
import org.kapott.hbci.GV.parsers.SEPAParserFactory;
import org.kapott.hbci.GV_Result.GVRKUms.BTag;
import org.kapott.hbci.GV_Result.GVRKUms.UmsLine;
import org.kapott.hbci.callback.AbstractHBCICallback;
import org.kapott.hbci.manager.HBCIUtils;
import org.kapott.hbci.passport.HBCIPassport;
import org.kapott.hbci.sepa.SepaVersion;
import org.kapott.hbci.structures.Saldo;

class Hbci4j {
  public static void main(String[] args) throws Exception {
    File[] files = new File(args[0]).listFiles((folder, name) -> name.matches("(camt\\.052|pain\\.00[18]).*\\.xml"));
    Arrays.sort(files);
    // Without a callback the library cannot report what it finds wrong, and fails at that instead.
    HBCIUtils.init(new Properties(), new Quiet());
    Gson gson = new GsonBuilder().serializeNulls().create();
    for (File file : files) {
      JsonObject line = new JsonObject();
      line.addProperty("file", file.getName().replace(".xml", ""));
      try {
        line.add("read", gson.toJsonTree(read(Files.readAllBytes(file.toPath()))));
      } catch (Exception fault) {
        line.addProperty("error", fault.toString());
      }
      System.out.println(line);
    }
  }

  static class Quiet extends AbstractHBCICallback {
    public void log(String message, int level, Date date, StackTraceElement trace) {}

    public void callback(HBCIPassport passport, int reason, String message, int type, StringBuffer answer) {}

    public void status(HBCIPassport passport, int tag, Object[] parts) {}
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static Object read(byte[] xml) throws Exception {
    SepaVersion version = SepaVersion.autodetect(new ByteArrayInputStream(xml));
    ISEPAParser parser = SEPAParserFactory.get(version);
    List read = new ArrayList();
    parser.parse(new ByteArrayInputStream(xml), read);
    if (version.getType() != SepaVersion.Type.CAMT_052) return (List<Properties>) read;
    return ((List<BTag>) read).stream().map(Hbci4j::account).toList();
  }

  static Map<String, Object> account(BTag tag) {
    Map<String, Object> account = new TreeMap<>();
    account.put("iban", tag.my.iban);
    account.put("currency", tag.my.curr);
    account.put("start", balance(tag.start));
    account.put("end", balance(tag.end));
    account.put("lines", tag.lines.stream().map(Hbci4j::line).toList());
    return account;
  }

  static Map<String, Object> line(UmsLine entry) {
    Map<String, Object> line = new TreeMap<>();
    line.put("amount", entry.value.getBigDecimalValue().toPlainString());
    line.put("balance", entry.saldo.value.getBigDecimalValue().toPlainString());
    line.put("booked", day(entry.bdate));
    line.put("valued", day(entry.valuta));
    line.put("id", entry.id);
    line.put("endToEndId", entry.endToEndId);
    line.put("customerReference", entry.customerref);
    line.put("other", entry.other.name);
    line.put("usage", entry.usage);
    line.put("text", entry.text);
    return line;
  }

  static Map<String, Object> balance(Saldo saldo) {
    Map<String, Object> balance = new TreeMap<>();
    balance.put("value", saldo.value == null ? null : saldo.value.getBigDecimalValue().toPlainString());
    balance.put("day", day(saldo.timestamp));
    return balance;
  }

  static String day(Date date) {
    return date == null ? null : new SimpleDateFormat("yyyy-MM-dd").format(date);
  }
}
