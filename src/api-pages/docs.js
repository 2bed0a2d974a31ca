// The viewer of the OpenAPI document. Runs in the browser, bundled by bundle.ts.
import 'openapi-explorer'
