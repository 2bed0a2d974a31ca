// Validates every .xml file of a folder against one schema with the JDK's own Xerces; prints one line for each fault.
import java.io.File;
import java.util.Arrays;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;

class Validate {
  public static void main(String[] args) throws Exception {
    Validator validator =
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new File(args[0])).newValidator();
    File[] files = new File(args[1]).listFiles((folder, name) -> name.endsWith(".xml"));
    Arrays.sort(files);
    for (File file : files) {
      try {
        validator.validate(new StreamSource(file));
      } catch (Exception fault) {
        System.out.println(file.getName() + ": " + fault.getMessage());
      }
    }
    System.out.println("validated " + files.length);
  }
}
