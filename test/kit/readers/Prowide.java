// Prowide reads every .xml file of a folder, and prints what it read: a line of JSON with "file" for each, or "error".
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.prowidesoftware.swift.model.mx.AbstractMX;
import java.io.File;
import java.nio.file.Files;
import java.util.Arrays;

class Prowide {
  public static void main(String[] args) throws Exception {
    File[] files = new File(args[0]).listFiles((folder, name) -> name.endsWith(".xml"));
    Arrays.sort(files);
    for (File file : files) {
      JsonObject line = new JsonObject();
      line.addProperty("file", file.getName().replace(".xml", ""));
      try {
        AbstractMX read = AbstractMX.parse(Files.readString(file.toPath()));
        line.add("read", JsonParser.parseString(read.toJson()));
        line.addProperty("type", read.getClass().getSimpleName());
        line.addProperty("written", read.message());
      } catch (Exception fault) {
        line.addProperty("error", fault.toString());
      }
      System.out.println(line);
    }
  }
}
