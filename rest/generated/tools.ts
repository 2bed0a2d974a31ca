// The tools of the MCP endpoint. Generated from rest/*.graphql. Do not edit: change the operation and generate again.
import type { Tool } from '../../src/mcp/tool.ts'

export const tools: readonly Tool[] = [
  {
    "name": "list_audit_events",
    "title": "List audit events",
    "description": "Audit events of your own project, newest first: actor, action, object and time of each write. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "action": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only this action, for instance `receipt.record`."
        },
        "object_type": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only events about objects of this type, for instance `receipt`."
        },
        "object_id": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only events about the object with this id."
        },
        "date_from": {
          "anyOf": [
            {
              "anyOf": [
                {
                  "type": "string",
                  "format": "date"
                },
                {
                  "type": "string",
                  "format": "date-time"
                }
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Only events at or after this date or RFC 3339 timestamp (UTC)."
        },
        "date_to": {
          "anyOf": [
            {
              "anyOf": [
                {
                  "type": "string",
                  "format": "date"
                },
                {
                  "type": "string",
                  "format": "date-time"
                }
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Only events at or before this RFC 3339 timestamp, or on or before this date (UTC)."
        },
        "limit": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 1,
          "maximum": 200,
          "default": 50,
          "description": "Page size, 1 to 200."
        },
        "offset": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 1000000,
          "default": 0,
          "description": "Events to skip."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "pattern": "^[1-9][0-9]*$",
                "description": "A decimal number that increases with every event of the service."
              },
              "action": {
                "type": "string",
                "description": "`<object>.<operation>`, for instance `receipt.record`."
              },
              "object_type": {
                "type": "string",
                "description": "Type of the object that was written."
              },
              "object_id": {
                "type": "string",
                "description": "Id of the object that was written."
              },
              "project_id": {
                "type": [
                  "string",
                  "null"
                ],
                "format": "uuid",
                "description": "The project; null for the service itself."
              },
              "actor": {
                "type": "string",
                "description": "`key:<id>`, `admin:<id>`, `wallet:<address>`, `payer:<address>`, `worker` or `public`."
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "description": "When the write happened."
              },
              "details": {
                "type": "object",
                "description": "Further data, by action. Never a secret."
              }
            },
            "required": [
              "id",
              "action",
              "object_type",
              "object_id",
              "project_id",
              "actor",
              "created_at",
              "details"
            ]
          }
        }
      },
      "required": [
        "items"
      ]
    },
    "isList": true,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/audit/events"
    },
    "paid": false,
    "places": {
      "action": "query",
      "object_type": "query",
      "object_id": "query",
      "date_from": "query",
      "date_to": "query",
      "limit": "query",
      "offset": "query"
    },
    "operation": {
      "name": "AuditEvents",
      "method": "GET",
      "path": "/v1/audit/events",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "audit_trail",
      "feeds": {
        "filter.actions.0": [
          "body",
          "action"
        ],
        "filter.objectTypes.0": [
          "body",
          "object_type"
        ],
        "filter.objectIds.0": [
          "body",
          "object_id"
        ],
        "filter.createdAt.since": [
          "body",
          "date_from"
        ],
        "filter.createdAt.until": [
          "body",
          "date_to"
        ],
        "first": [
          "body",
          "limit"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "only": "nodes"
      },
      "page": {
        "offset": "offset",
        "size": "limit",
        "defaults": {
          "limit": 50,
          "offset": 0
        },
        "in": "body"
      },
      "document": "query AuditEvents($action: [String!], $object_type: [String!], $object_id: [String!], $date_from: DateTime, $date_to: DateTime, $limit: Int = 50, $page_cursor: String) {\n  audit_trail: auditTrail(\n    filter: {\n      actions: $action\n      objectTypes: $object_type\n      objectIds: $object_id\n      createdAt: { since: $date_from, until: $date_to }\n    }\n    first: $limit\n    after: $page_cursor\n  ) {\n    nodes {\n      id\n      action\n      object_type: objectType\n      object_id: objectId\n      project_id: projectId\n      actor\n      created_at: createdAt\n      details\n    }\n  }\n}",
      "params": [
        {
          "variable": "action",
          "name": "action",
          "in": "body",
          "single": true,
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "object_type",
          "name": "object_type",
          "in": "body",
          "single": true,
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "object_id",
          "name": "object_id",
          "in": "body",
          "single": true,
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "date_from",
          "name": "date_from",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "DateTime",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "date_to",
          "name": "date_to",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "DateTime",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "limit",
          "name": "limit",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Int",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "offset",
          "name": "offset",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Int",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "who_am_i",
    "title": "Identify the caller",
    "description": "The role and project of the API key in use. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {},
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "role": {
          "type": "string",
          "description": "admin, project_admin, project or viewer."
        },
        "project_id": {
          "type": [
            "string",
            "null"
          ],
          "format": "uuid",
          "description": "The caller’s project; null for a service administrator."
        },
        "is_admin": {
          "type": "boolean",
          "description": "Whether the caller is a service administrator."
        }
      },
      "required": [
        "role",
        "project_id",
        "is_admin"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/auth/me"
    },
    "paid": false,
    "places": {},
    "operation": {
      "name": "Me",
      "method": "GET",
      "path": "/v1/auth/me",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "me",
      "feeds": {},
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query Me {\n  me {\n    role\n    project_id: projectId\n    is_admin: isAdmin\n  }\n}",
      "params": []
    }
  },
  {
    "name": "list_payments",
    "title": "List payments to this service",
    "description": "The x402 payments of your own project to this service, newest first. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 1,
          "maximum": 200,
          "default": 50,
          "description": "Page size, 1 to 200."
        },
        "offset": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 1000000,
          "default": 0,
          "description": "Payments to skip."
        },
        "currency": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only payments in this token, by its exact ticker."
        },
        "chain": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only payments on this network, by its CAIP-2 id such as `eip155:8453`.",
          "externalDocs": {
            "description": "CAIP-2, the ids of chains.",
            "url": "https://standards.chainagnostic.org/CAIPs/caip-2"
          }
        },
        "status": {
          "type": "string",
          "enum": [
            "verified",
            "settling",
            "settled",
            "delivered",
            "failed"
          ],
          "description": "Only payments with this status."
        },
        "payment_type": {
          "type": "string",
          "enum": [
            "fx_lookup",
            "verify_bundle",
            "generate_statement",
            "iso_message",
            "bulk_verify",
            "refund"
          ],
          "description": "Only payments of this type."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "format": "uuid",
                "description": "UUID."
              },
              "status": {
                "type": "string",
                "enum": [
                  "delivered",
                  "failed",
                  "settled",
                  "settling",
                  "verified"
                ],
                "description": "Status of the payment."
              },
              "payment_type": {
                "type": [
                  "string",
                  "null"
                ],
                "enum": [
                  "bulk_verify",
                  "fx_lookup",
                  "generate_statement",
                  "iso_message",
                  "refund",
                  "verify_bundle",
                  null
                ],
                "description": "Type of the purchase. Null when it is no longer sold."
              },
              "tx_hash": {
                "type": [
                  "string",
                  "null"
                ],
                "pattern": "^0x[0-9a-f]{64}$",
                "description": "The transaction that paid. Null until settled, because a sent transaction may be replaced."
              },
              "amount": {
                "type": "string",
                "description": "In units of the token."
              },
              "currency": {
                "type": "string",
                "description": "The token’s ticker."
              },
              "chain": {
                "type": "string",
                "description": "CAIP-2 id of the token’s network."
              },
              "payer": {
                "type": "string",
                "description": "The payer’s address, lower-case."
              },
              "recipient": {
                "type": "string",
                "description": "The recipient’s address, lower-case."
              },
              "endpoint": {
                "type": "string",
                "description": "The paid endpoint’s path in the price list."
              },
              "receipt_id": {
                "type": [
                  "string",
                  "null"
                ],
                "format": "uuid",
                "description": "The UUID of the receipt that records the payment; null until the payment is recorded."
              },
              "verified_at": {
                "type": "string",
                "format": "date-time",
                "description": "When the payment was verified."
              },
              "settled_at": {
                "type": [
                  "string",
                  "null"
                ],
                "format": "date-time",
                "description": "When the service found its settlement on chain. Null until settled."
              }
            },
            "required": [
              "id",
              "status",
              "payment_type",
              "tx_hash",
              "amount",
              "currency",
              "chain",
              "payer",
              "recipient",
              "endpoint",
              "receipt_id",
              "verified_at",
              "settled_at"
            ]
          }
        }
      },
      "required": [
        "items"
      ]
    },
    "isList": true,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/x402/payments"
    },
    "paid": false,
    "places": {
      "limit": "query",
      "offset": "query",
      "currency": "query",
      "chain": "query",
      "status": "query",
      "payment_type": "query"
    },
    "operation": {
      "name": "Payments",
      "method": "GET",
      "path": "/v1/x402/payments",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "payments",
      "feeds": {
        "first": [
          "body",
          "limit"
        ],
        "filter.currencies.0": [
          "body",
          "currency"
        ],
        "filter.networks.0": [
          "body",
          "chain"
        ],
        "filter.statuses.0": [
          "body",
          "status"
        ],
        "filter.types.0": [
          "body",
          "payment_type"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "only": "nodes"
      },
      "page": {
        "offset": "offset",
        "size": "limit",
        "defaults": {
          "limit": 50,
          "offset": 0
        },
        "in": "body"
      },
      "document": "query Payments($limit: Int = 50, $currency: [String!], $chain: [String!], $status: [PaymentStatus!], $payment_type: [PaymentType!], $page_cursor: String) {\n  payments(\n    filter: {\n      currencies: $currency\n      networks: $chain\n      statuses: $status\n      types: $payment_type\n    }\n    first: $limit\n    after: $page_cursor\n  ) {\n    nodes {\n      ... on Payment {\n        id\n        status\n        payment_type: paymentType\n        tx_hash: settlementTx\n        amount\n        currency\n        chain: network\n        payer\n        recipient\n        endpoint\n        receipt_id: receiptId\n        verified_at: verifiedAt\n        settled_at: settledAt\n      }\n    }\n  }\n}",
      "params": [
        {
          "variable": "limit",
          "name": "limit",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Int",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "offset",
          "name": "offset",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Int",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "currency",
          "name": "currency",
          "in": "body",
          "single": true,
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "chain",
          "name": "chain",
          "in": "body",
          "single": true,
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "status",
          "name": "status",
          "in": "body",
          "single": true,
          "type": {
            "kind": "enum",
            "name": "PaymentStatus",
            "values": [
              "delivered",
              "failed",
              "settled",
              "settling",
              "verified"
            ],
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "payment_type",
          "name": "payment_type",
          "in": "body",
          "single": true,
          "type": {
            "kind": "enum",
            "name": "PaymentType",
            "values": [
              "bulk_verify",
              "fx_lookup",
              "generate_statement",
              "iso_message",
              "refund",
              "verify_bundle"
            ],
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "get_payment",
    "title": "Read a payment to this service",
    "description": "One payment of your own project to this service, with the receipt that records it. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "payment_id": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The payment’s UUID."
        }
      },
      "required": [
        "payment_id"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "UUID."
        },
        "status": {
          "type": "string",
          "enum": [
            "delivered",
            "failed",
            "settled",
            "settling",
            "verified"
          ],
          "description": "Status of the payment."
        },
        "payment_type": {
          "type": [
            "string",
            "null"
          ],
          "enum": [
            "bulk_verify",
            "fx_lookup",
            "generate_statement",
            "iso_message",
            "refund",
            "verify_bundle",
            null
          ],
          "description": "Type of the purchase. Null when it is no longer sold."
        },
        "tx_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The transaction that paid. Null until settled, because a sent transaction may be replaced."
        },
        "amount": {
          "type": "string",
          "description": "In units of the token."
        },
        "currency": {
          "type": "string",
          "description": "The token’s ticker."
        },
        "chain": {
          "type": "string",
          "description": "CAIP-2 id of the token’s network."
        },
        "payer": {
          "type": "string",
          "description": "The payer’s address, lower-case."
        },
        "recipient": {
          "type": "string",
          "description": "The recipient’s address, lower-case."
        },
        "endpoint": {
          "type": "string",
          "description": "The paid endpoint’s path in the price list."
        },
        "receipt_id": {
          "type": [
            "string",
            "null"
          ],
          "format": "uuid",
          "description": "The UUID of the receipt that records the payment; null until the payment is recorded."
        },
        "verified_at": {
          "type": "string",
          "format": "date-time",
          "description": "When the payment was verified."
        },
        "settled_at": {
          "type": [
            "string",
            "null"
          ],
          "format": "date-time",
          "description": "When the service found its settlement on chain. Null until settled."
        },
        "receipt_status": {
          "type": [
            "string",
            "null"
          ],
          "enum": [
            "anchored",
            "awaiting_anchor",
            "failed",
            "pending",
            null
          ],
          "description": "Status of the receipt that records the payment."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "SHA-256 of the evidence bundle of the payment’s receipt, 0x-prefixed. Null until sealed."
        },
        "ledger_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The anchor transaction of the payment’s receipt, 0x-prefixed. Null until anchored."
        },
        "flare_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "deprecated": true,
          "description": "Older name of `ledger_txid`."
        }
      },
      "required": [
        "id",
        "status",
        "payment_type",
        "tx_hash",
        "amount",
        "currency",
        "chain",
        "payer",
        "recipient",
        "endpoint",
        "receipt_id",
        "verified_at",
        "settled_at",
        "receipt_status",
        "bundle_hash",
        "ledger_txid",
        "flare_txid"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/x402/payments/{payment_id}"
    },
    "paid": false,
    "places": {
      "payment_id": "path"
    },
    "operation": {
      "name": "Payment",
      "method": "GET",
      "path": "/v1/x402/payments/:payment_id",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "payment",
      "feeds": {
        "id": [
          "body",
          "payment_id"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "flatten": {
          "receipt": [
            "receipt_status",
            "bundle_hash",
            "ledger_txid",
            "flare_txid"
          ]
        }
      },
      "page": null,
      "document": "query Payment($payment_id: ID!) {\n  payment(id: $payment_id) {\n    ... on Payment {\n      id\n      status\n      payment_type: paymentType\n      tx_hash: settlementTx\n      amount\n      currency\n      chain: network\n      payer\n      recipient\n      endpoint\n      receipt_id: receiptId\n      verified_at: verifiedAt\n      settled_at: settledAt\n    }\n    receipt {\n      receipt_status: status\n      bundle_hash: bundleHash\n      ledger_txid: anchorTx\n      flare_txid: anchorTx\n    }\n  }\n}",
      "params": [
        {
          "variable": "payment_id",
          "name": "payment_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        }
      ]
    }
  },
  {
    "name": "paid_fx_rate",
    "title": "Buy an exchange rate",
    "description": "The exchange rate between two currencies. Paid for by x402.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": true
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "base_ccy": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 2,
          "maxLength": 12,
          "pattern": "^[A-Za-z0-9]{2,12}$",
          "description": "The base currency, of which one unit is valued; USD unless given. Any case."
        },
        "quote_ccy": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 2,
          "maxLength": 12,
          "pattern": "^[A-Za-z0-9]{2,12}$",
          "description": "The quote currency, in which the rate is stated; FLR unless given. Any case."
        },
        "provider": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 64,
          "description": "The only provider to query; unless given, each is queried in order until one knows the pair."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "base_ccy": {
          "type": "string",
          "description": "The base currency, of which one unit is valued."
        },
        "quote_ccy": {
          "type": "string",
          "description": "The quote currency, in which the rate is stated."
        },
        "rate": {
          "type": "string",
          "description": "Units of `quoteCcy` for one unit of `baseCcy`."
        },
        "source": {
          "type": "string",
          "description": "The rate provider, and the figures it used."
        },
        "as_of": {
          "type": "string",
          "format": "date-time",
          "description": "Time of the oldest of those figures."
        }
      },
      "required": [
        "base_ccy",
        "quote_ccy",
        "rate",
        "source",
        "as_of"
      ]
    },
    "isList": false,
    "example": {
      "base_ccy": "EUR",
      "quote_ccy": "USD"
    },
    "answer": {
      "base_ccy": "EUR",
      "quote_ccy": "USD",
      "rate": "1.0871",
      "source": "ecb",
      "as_of": "2026-01-05T14:15:00.000Z"
    },
    "http": {
      "method": "POST",
      "path": "/v1/x402/premium/fx-lookup"
    },
    "paid": true,
    "places": {
      "base_ccy": "body",
      "quote_ccy": "body",
      "provider": "body"
    },
    "operation": {
      "name": "PremiumFxLookup",
      "method": "POST",
      "path": "/v1/x402/premium/fx-lookup",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "premium_fx_rate",
      "feeds": {
        "baseCcy": [
          "body",
          "base_ccy"
        ],
        "quoteCcy": [
          "body",
          "quote_ccy"
        ],
        "provider": [
          "body",
          "provider"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query PremiumFxLookup($base_ccy: String, $quote_ccy: String, $provider: String) {\n  premium_fx_rate: premiumFxRate(\n    baseCcy: $base_ccy\n    quoteCcy: $quote_ccy\n    provider: $provider\n  ) {\n    base_ccy: baseCcy\n    quote_ccy: quoteCcy\n    rate\n    source\n    as_of: asOf\n  }\n}",
      "params": [
        {
          "variable": "base_ccy",
          "name": "base_ccy",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "quote_ccy",
          "name": "quote_ccy",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "provider",
          "name": "provider",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "paid_verify_evidence",
    "title": "Buy a verification",
    "description": "The same as verify_evidence, which is free of charge but limited in how much a caller can request at once. Paid for by x402.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": true
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "bundle_url": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 2048,
          "format": "uri",
          "description": "URL of the evidence ZIP."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-fA-F]{64}$",
          "description": "The expected SHA-256 of the ZIP, 0x-prefixed."
        },
        "txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-fA-F]{64}$",
          "description": "The anchor transaction, 0x-prefixed."
        }
      },
      "additionalProperties": false,
      "minProperties": 1
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "matches_onchain": {
          "type": "boolean",
          "description": "A final, successful transaction of the expected contract carries exactly this hash."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The bundle hash that was searched for, 0x-prefixed."
        },
        "ledger_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The anchor transaction, 0x-prefixed."
        },
        "flare_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "deprecated": true,
          "description": "Older name of `ledger_txid`."
        },
        "anchored_at": {
          "type": [
            "string",
            "null"
          ],
          "format": "date-time",
          "description": "Block time of the anchor."
        },
        "errors": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Ids of the checks that failed."
        }
      },
      "required": [
        "matches_onchain",
        "bundle_hash",
        "ledger_txid",
        "flare_txid",
        "anchored_at",
        "errors"
      ]
    },
    "isList": false,
    "example": {
      "bundle_hash": "0x1212121212121212121212121212121212121212121212121212121212121212"
    },
    "answer": {
      "matches_onchain": true,
      "bundle_hash": "0x1212121212121212121212121212121212121212121212121212121212121212",
      "ledger_txid": "0x3434343434343434343434343434343434343434343434343434343434343434",
      "flare_txid": "0x3434343434343434343434343434343434343434343434343434343434343434",
      "anchored_at": "2026-01-05T10:00:03.000Z",
      "errors": []
    },
    "http": {
      "method": "POST",
      "path": "/v1/x402/premium/verify-bundle"
    },
    "paid": true,
    "places": {
      "bundle_url": "body",
      "bundle_hash": "body",
      "txid": "body"
    },
    "operation": {
      "name": "PremiumVerifyBundle",
      "method": "POST",
      "path": "/v1/x402/premium/verify-bundle",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "premium_verify_evidence",
      "feeds": {
        "bundleUrl": [
          "body",
          "bundle_url"
        ],
        "bundleHash": [
          "body",
          "bundle_hash"
        ],
        "anchorTx": [
          "body",
          "txid"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query PremiumVerifyBundle($bundle_url: URL, $bundle_hash: Hash32, $txid: Hash32) {\n  premium_verify_evidence: premiumVerifyEvidence(\n    bundleUrl: $bundle_url\n    bundleHash: $bundle_hash\n    anchorTx: $txid\n  ) {\n    matches_onchain: matchesOnchain\n    bundle_hash: bundleHash\n    ledger_txid: anchorTx\n    flare_txid: anchorTx\n    anchored_at: anchoredAt\n    errors\n  }\n}",
      "params": [
        {
          "variable": "bundle_url",
          "name": "bundle_url",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "URL",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "bundle_hash",
          "name": "bundle_hash",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Hash32",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "txid",
          "name": "txid",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Hash32",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "paid_statement",
    "title": "Buy a statement",
    "description": "A statement of the entries booked on a day, or in a window of the day: camt.053 for the whole day, camt.052 for part of the day, downloaded from url. With an API key it covers the key's project, without a key the wallet that pays, over all projects. Paid for by x402.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "date": {
          "type": [
            "string",
            "null"
          ],
          "format": "date",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$",
          "description": "The day, in UTC; today unless given."
        },
        "window": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$",
          "default": "00:00-23:59",
          "description": "First and last minute, in UTC; the whole day unless given."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "type": {
          "type": "string",
          "description": "`camt.053` for a whole day, `camt.052` for part of one."
        },
        "date": {
          "type": "string",
          "format": "date",
          "description": "The day, in UTC."
        },
        "window": {
          "type": "string",
          "description": "First and last minute of the window, in UTC: HH:MM-HH:MM."
        },
        "count": {
          "type": "integer",
          "description": "Entries on all pages."
        },
        "url": {
          "type": "string",
          "format": "uri",
          "description": "URL to download the first page."
        },
        "sha256": {
          "type": "string",
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "SHA-256 of the first page, 0x-prefixed."
        }
      },
      "required": [
        "type",
        "date",
        "window",
        "count",
        "url",
        "sha256"
      ]
    },
    "isList": false,
    "example": {
      "date": "2026-01-05",
      "window": "00:00-23:59"
    },
    "answer": {
      "type": "camt.053",
      "date": "2026-01-05",
      "window": "00:00-23:59",
      "count": 12,
      "url": "https://quittance.example/files/3f0c1d8e-5a7b-4c2d-9e1f-2a3b4c5d6e7f/camt053.xml",
      "sha256": "0x1212121212121212121212121212121212121212121212121212121212121212"
    },
    "http": {
      "method": "POST",
      "path": "/v1/x402/premium/generate-statement"
    },
    "paid": true,
    "places": {
      "date": "query",
      "window": "query"
    },
    "operation": {
      "name": "PremiumStatement",
      "method": "POST",
      "path": "/v1/x402/premium/generate-statement",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "premium_statement",
      "feeds": {
        "date": [
          "body",
          "date"
        ],
        "window": [
          "body",
          "window"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "mutation PremiumStatement($date: Date, $window: String) {\n  premium_statement: premiumStatement(date: $date, window: $window) {\n    type\n    date\n    window\n    count\n    url\n    sha256\n  }\n}",
      "params": [
        {
          "variable": "date",
          "name": "date",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Date",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "window",
          "name": "window",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "paid_iso_message",
    "title": "Buy a message",
    "description": "The newest ISO 20022-style message of a type, such as pain.001, of a receipt, with its XML. Paid for by x402.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "receipt_id": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The receipt’s UUID."
        },
        "type": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "The exact message type, for instance `pain.001`."
        }
      },
      "required": [
        "receipt_id",
        "type"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "type": {
          "type": "string",
          "description": "Message type, for instance `pain.001`."
        },
        "url": {
          "type": "string",
          "description": "URL to download the file."
        },
        "sha256": {
          "type": "string",
          "description": "SHA-256 of the file, 0x-prefixed."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "When it was generated."
        },
        "xml": {
          "type": "string",
          "description": "The file as text."
        }
      },
      "required": [
        "type",
        "url",
        "sha256",
        "created_at",
        "xml"
      ]
    },
    "isList": false,
    "example": {
      "receipt_id": "3f0c1d8e-5a7b-4c2d-9e1f-2a3b4c5d6e7f",
      "type": "pain.001"
    },
    "answer": {
      "type": "pain.001",
      "url": "https://quittance.example/files/3f0c1d8e-5a7b-4c2d-9e1f-2a3b4c5d6e7f/pain001.xml",
      "sha256": "0x1212121212121212121212121212121212121212121212121212121212121212",
      "created_at": "2026-01-05T10:00:01.000Z",
      "xml": "<Document>…</Document>"
    },
    "http": {
      "method": "GET",
      "path": "/v1/x402/premium/iso-message/{receipt_id}/{type}"
    },
    "paid": true,
    "places": {
      "receipt_id": "path",
      "type": "path"
    },
    "operation": {
      "name": "PremiumIsoMessage",
      "method": "GET",
      "path": "/v1/x402/premium/iso-message/:receipt_id/:type",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "premium_iso_message",
      "feeds": {
        "receiptId": [
          "body",
          "receipt_id"
        ],
        "type": [
          "body",
          "type"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query PremiumIsoMessage($receipt_id: ID!, $type: String!) {\n  premium_iso_message: premiumIsoMessage(receiptId: $receipt_id, type: $type) {\n    type\n    url\n    sha256\n    created_at: createdAt\n    xml\n  }\n}",
      "params": [
        {
          "variable": "receipt_id",
          "name": "receipt_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "type",
          "name": "type",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        }
      ]
    }
  },
  {
    "name": "paid_verify_many",
    "title": "Buy up to 100 verifications",
    "description": "Verify up to 100 bundles as verify_evidence does, named by items or by bundle_urls: exactly one of the two. Each bundle has its own result, in the order of the request. The call may take minutes. Paid for by x402.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": true
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": [
            "array",
            "null"
          ],
          "items": {
            "type": "object",
            "properties": {
              "bundle_hash": {
                "type": [
                  "string",
                  "null"
                ],
                "pattern": "^0x[0-9a-fA-F]{64}$",
                "description": "The expected SHA-256 of the ZIP, 0x-prefixed."
              },
              "bundle_url": {
                "type": [
                  "string",
                  "null"
                ],
                "maxLength": 2048,
                "format": "uri",
                "description": "URL of the evidence ZIP."
              },
              "txid": {
                "type": [
                  "string",
                  "null"
                ],
                "pattern": "^0x[0-9a-fA-F]{64}$",
                "description": "The anchor transaction, 0x-prefixed."
              }
            },
            "additionalProperties": false,
            "minProperties": 1
          },
          "minItems": 1,
          "maxItems": 100,
          "description": "The entries to verify; results keep this order."
        },
        "bundle_urls": {
          "type": [
            "array",
            "null"
          ],
          "items": {
            "type": "string",
            "maxLength": 2048,
            "format": "uri"
          },
          "minItems": 1,
          "maxItems": 100,
          "description": "URLs of evidence ZIPs, instead of `items` when only the URLs are known."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "verified": {
          "type": "integer",
          "description": "How many entries are proven: anchored, and without errors."
        },
        "results": {
          "type": "array",
          "items": {
            "anyOf": [
              {
                "type": "object",
                "properties": {
                  "input": {
                    "type": "object",
                    "properties": {
                      "bundle_url": {
                        "type": "string",
                        "description": "URL of the evidence ZIP."
                      },
                      "bundle_hash": {
                        "type": "string",
                        "description": "The expected SHA-256 of the ZIP, 0x-prefixed."
                      },
                      "txid": {
                        "type": "string",
                        "description": "The anchor transaction, 0x-prefixed."
                      }
                    },
                    "description": "The entry of the request."
                  },
                  "error": {
                    "type": "string",
                    "description": "The error code of the failure."
                  }
                },
                "required": [
                  "input",
                  "error"
                ]
              },
              {
                "type": "object",
                "properties": {
                  "input": {
                    "type": "object",
                    "properties": {
                      "bundle_url": {
                        "type": "string",
                        "description": "URL of the evidence ZIP."
                      },
                      "bundle_hash": {
                        "type": "string",
                        "description": "The expected SHA-256 of the ZIP, 0x-prefixed."
                      },
                      "txid": {
                        "type": "string",
                        "description": "The anchor transaction, 0x-prefixed."
                      }
                    },
                    "description": "The entry of the request."
                  },
                  "result": {
                    "type": "object",
                    "properties": {
                      "matches_onchain": {
                        "type": "boolean",
                        "description": "A final, successful transaction of the expected contract carries exactly this hash."
                      },
                      "bundle_hash": {
                        "type": [
                          "string",
                          "null"
                        ],
                        "pattern": "^0x[0-9a-f]{64}$",
                        "description": "The bundle hash that was searched for, 0x-prefixed."
                      },
                      "ledger_txid": {
                        "type": [
                          "string",
                          "null"
                        ],
                        "pattern": "^0x[0-9a-f]{64}$",
                        "description": "The anchor transaction, 0x-prefixed."
                      },
                      "flare_txid": {
                        "type": [
                          "string",
                          "null"
                        ],
                        "pattern": "^0x[0-9a-f]{64}$",
                        "deprecated": true,
                        "description": "Older name of `ledger_txid`."
                      },
                      "anchored_at": {
                        "type": [
                          "string",
                          "null"
                        ],
                        "format": "date-time",
                        "description": "Block time of the anchor."
                      },
                      "errors": {
                        "type": "array",
                        "items": {
                          "type": "string"
                        },
                        "description": "Ids of the checks that failed."
                      }
                    },
                    "required": [
                      "matches_onchain",
                      "bundle_hash",
                      "ledger_txid",
                      "flare_txid",
                      "anchored_at",
                      "errors"
                    ],
                    "description": "The result."
                  }
                },
                "required": [
                  "input",
                  "result"
                ]
              }
            ]
          },
          "description": "One outcome for each entry, in the order of the request."
        }
      },
      "required": [
        "verified",
        "results"
      ]
    },
    "isList": false,
    "example": {
      "bundle_urls": [
        "https://quittance.example/files/3f0c1d8e-5a7b-4c2d-9e1f-2a3b4c5d6e7f/evidence.zip"
      ]
    },
    "answer": {
      "verified": 1,
      "results": [
        {
          "input": {
            "bundle_url": "https://quittance.example/files/3f0c1d8e-5a7b-4c2d-9e1f-2a3b4c5d6e7f/evidence.zip"
          },
          "result": {
            "matches_onchain": true,
            "bundle_hash": "0x1212121212121212121212121212121212121212121212121212121212121212",
            "ledger_txid": "0x3434343434343434343434343434343434343434343434343434343434343434",
            "flare_txid": "0x3434343434343434343434343434343434343434343434343434343434343434",
            "anchored_at": "2026-01-05T10:00:03.000Z",
            "errors": []
          }
        }
      ]
    },
    "http": {
      "method": "POST",
      "path": "/v1/x402/premium/bulk-verify"
    },
    "paid": true,
    "places": {
      "items": "body",
      "bundle_urls": "body"
    },
    "operation": {
      "name": "PremiumBulkVerify",
      "method": "POST",
      "path": "/v1/x402/premium/bulk-verify",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "premium_verify_bundles",
      "feeds": {
        "items": [
          "body",
          "items"
        ],
        "bundleUrls": [
          "body",
          "bundle_urls"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "within": {
          "results": {
            "within": {
              "input": {
                "sparse": true
              }
            }
          }
        }
      },
      "page": null,
      "document": "query PremiumBulkVerify($items: [VerifyLocatorInput!], $bundle_urls: [URL!]) {\n  premium_verify_bundles: premiumVerifyBundles(\n    items: $items\n    bundleUrls: $bundle_urls\n  ) {\n    verified\n    results {\n      ... on VerifiedEntry {\n        input {\n          ... on VerifyLocator {\n            bundle_url: bundleUrl\n            bundle_hash: bundleHash\n            txid: anchorTx\n          }\n        }\n        result {\n          matches_onchain: matchesOnchain\n          bundle_hash: bundleHash\n          ledger_txid: anchorTx\n          flare_txid: anchorTx\n          anchored_at: anchoredAt\n          errors\n        }\n      }\n      ... on UnverifiedEntry {\n        input {\n          ... on VerifyLocator {\n            bundle_url: bundleUrl\n            bundle_hash: bundleHash\n            txid: anchorTx\n          }\n        }\n        error\n      }\n    }\n  }\n}",
      "params": [
        {
          "variable": "items",
          "name": "items",
          "in": "body",
          "type": {
            "kind": "list",
            "of": {
              "kind": "object",
              "name": "VerifyLocatorInput",
              "fields": [
                {
                  "name": "txid",
                  "field": "anchorTx",
                  "type": {
                    "kind": "scalar",
                    "name": "Hash32",
                    "nullable": true
                  },
                  "required": false
                },
                {
                  "name": "bundle_hash",
                  "field": "bundleHash",
                  "type": {
                    "kind": "scalar",
                    "name": "Hash32",
                    "nullable": true
                  },
                  "required": false
                },
                {
                  "name": "bundle_url",
                  "field": "bundleUrl",
                  "type": {
                    "kind": "scalar",
                    "name": "URL",
                    "nullable": true
                  },
                  "required": false
                }
              ],
              "nullable": false
            },
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "bundle_urls",
          "name": "bundle_urls",
          "in": "body",
          "type": {
            "kind": "list",
            "of": {
              "kind": "scalar",
              "name": "URL",
              "nullable": false
            },
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "paid_refund_record",
    "title": "Buy the record of a refund",
    "description": "Record that an anchored receipt's payment was given back; this never moves funds. The wallet that pays must be a party of the receipt or linked to its project, and nothing is charged when the refund cannot be recorded. Without refund_tx_hash the refund is announced, not settled. Paid for by x402.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "original_receipt_id": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The receipt to refund; it must be anchored."
        },
        "reason_code": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^[A-Z0-9]{1,4}$",
          "description": "Reason for the refund, from ExternalReturnReason1Code; for instance `FOCR`.",
          "externalDocs": {
            "description": "The external code sets of ISO 20022. This service knows the edition of the third quarter of 2025.",
            "url": "https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets"
          }
        },
        "refund_tx_hash": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "The transaction that gave the money back. Without it the refund is announced, not settled."
        }
      },
      "required": [
        "original_receipt_id"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "refund_receipt_id": {
          "type": "string",
          "format": "uuid",
          "description": "UUID; also the UETR of its messages."
        },
        "status": {
          "type": "string",
          "enum": [
            "anchored",
            "awaiting_anchor",
            "failed",
            "pending"
          ],
          "description": "Complete only when `anchored`."
        }
      },
      "required": [
        "refund_receipt_id",
        "status"
      ]
    },
    "isList": false,
    "example": {
      "original_receipt_id": "3f0c1d8e-5a7b-4c2d-9e1f-2a3b4c5d6e7f"
    },
    "answer": {
      "refund_receipt_id": "9b2e4c6d-1f3a-4b5c-8d7e-6f5a4b3c2d1e",
      "status": "pending"
    },
    "http": {
      "method": "POST",
      "path": "/v1/x402/premium/refund"
    },
    "paid": true,
    "places": {
      "original_receipt_id": "body",
      "reason_code": "body",
      "refund_tx_hash": "body"
    },
    "operation": {
      "name": "PremiumRefund",
      "method": "POST",
      "path": "/v1/x402/premium/refund",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "premium_refund",
      "feeds": {
        "originalReceiptId": [
          "body",
          "original_receipt_id"
        ],
        "reasonCode": [
          "body",
          "reason_code"
        ],
        "refundTx": [
          "body",
          "refund_tx_hash"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "mutation PremiumRefund($original_receipt_id: ID!, $reason_code: String, $refund_tx_hash: String) {\n  premium_refund: premiumRefund(\n    originalReceiptId: $original_receipt_id\n    reasonCode: $reason_code\n    refundTx: $refund_tx_hash\n  ) {\n    refund_receipt_id: id\n    status\n  }\n}",
      "params": [
        {
          "variable": "original_receipt_id",
          "name": "original_receipt_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "reason_code",
          "name": "reason_code",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "refund_tx_hash",
          "name": "refund_tx_hash",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "list_prices",
    "title": "List prices",
    "description": "List the prices of all paid operations.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {},
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "path": {
                "type": "string",
                "description": "REST path of the endpoint."
              },
              "price": {
                "type": "string",
                "description": "In units of the token."
              },
              "currency": {
                "type": "string",
                "description": "The token’s ticker."
              },
              "network": {
                "type": "string",
                "description": "CAIP-2 id of the token’s network."
              },
              "asset": {
                "type": "string",
                "description": "The token’s contract, lower-case."
              },
              "recipient": {
                "type": "string",
                "description": "The recipient’s address, lower-case."
              },
              "enabled": {
                "type": "boolean",
                "description": "Whether the endpoint can be bought at present."
              }
            },
            "required": [
              "path",
              "price",
              "currency",
              "network",
              "asset",
              "recipient",
              "enabled"
            ]
          }
        }
      },
      "required": [
        "items"
      ]
    },
    "isList": true,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/x402/pricing"
    },
    "paid": false,
    "places": {},
    "operation": {
      "name": "Pricing",
      "method": "GET",
      "path": "/v1/x402/pricing",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "pricing",
      "feeds": {},
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query Pricing {\n  pricing {\n    path\n    price\n    currency\n    network\n    asset\n    recipient\n    enabled\n  }\n}",
      "params": []
    }
  },
  {
    "name": "record_payment",
    "title": "Record a payment",
    "description": "Record a payment that already happened on a blockchain; this never moves funds. Needs an API key that may write. Amounts are decimal strings. The receipt is complete when its status is anchored: call get_receipt with receipt_id until then, every second or two. A call with the same chain and tip_tx_hash, or else the same reference, returns the existing receipt, and matched_by reports which of these matched; matched_by is null for a new receipt.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "tip_tx_hash": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Settlement transaction hash, as the chain writes it. Hex is folded to lower-case."
        },
        "chain": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Chain of the payment, by the name the integration uses."
        },
        "amount": {
          "type": "string",
          "pattern": "^(?=.*[1-9])\\d{1,20}(?:\\.\\d{1,18})?$",
          "description": "Exact decimal string above zero: at most 20 integer and 18 fraction digits. Never a JSON number."
        },
        "currency": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Asset or currency label."
        },
        "sender_wallet": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Payer address."
        },
        "receiver_wallet": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Recipient address."
        },
        "reference": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Stable business identifier: the order or invoice id. Unique in the project."
        },
        "resource_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-fA-F]{64}$",
          "description": "SHA-256 of the delivered bytes, 0x-prefixed."
        },
        "callback_url": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 2048,
          "format": "uri",
          "description": "URL that each change of the receipt is POSTed to, signed as Standard Webhooks says."
        }
      },
      "required": [
        "tip_tx_hash",
        "chain",
        "amount",
        "currency",
        "sender_wallet",
        "receiver_wallet",
        "reference"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "receipt_id": {
          "type": "string",
          "format": "uuid",
          "description": "The receipt’s UUID."
        },
        "status": {
          "type": "string",
          "enum": [
            "anchored",
            "awaiting_anchor",
            "failed",
            "pending"
          ],
          "description": "State of the receipt; `pending` when it is new."
        },
        "matched_by": {
          "type": [
            "string",
            "null"
          ],
          "enum": [
            "reference",
            "settlement",
            null
          ],
          "description": "How the earlier receipt was found. Absent when the receipt is new."
        }
      },
      "required": [
        "receipt_id",
        "status",
        "matched_by"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "POST",
      "path": "/v1/iso/record-tip"
    },
    "paid": false,
    "places": {
      "tip_tx_hash": "body",
      "chain": "body",
      "amount": "body",
      "currency": "body",
      "sender_wallet": "body",
      "receiver_wallet": "body",
      "reference": "body",
      "resource_hash": "body",
      "callback_url": "body"
    },
    "operation": {
      "name": "RecordTip",
      "method": "POST",
      "path": "/v1/iso/record-tip",
      "kind": "json",
      "status": 200,
      "access": "write",
      "root": "find_or_record_receipt",
      "feeds": {
        "input.settlementTx": [
          "body",
          "tip_tx_hash"
        ],
        "input.chain": [
          "body",
          "chain"
        ],
        "input.amount": [
          "body",
          "amount"
        ],
        "input.currency": [
          "body",
          "currency"
        ],
        "input.senderWallet": [
          "body",
          "sender_wallet"
        ],
        "input.receiverWallet": [
          "body",
          "receiver_wallet"
        ],
        "input.reference": [
          "body",
          "reference"
        ],
        "input.resourceHash": [
          "body",
          "resource_hash"
        ],
        "input.callbackUrl": [
          "body",
          "callback_url"
        ]
      },
      "headers": [
        {
          "key": "matched_by",
          "header": "Receipt-Matched-By"
        }
      ],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "mutation RecordTip($tip_tx_hash: String!, $chain: String!, $amount: Decimal!, $currency: String!, $sender_wallet: String!, $receiver_wallet: String!, $reference: String!, $resource_hash: Hash32, $callback_url: URL) {\n  find_or_record_receipt: findOrRecordReceipt(\n    input: {\n      settlementTx: $tip_tx_hash\n      chain: $chain\n      amount: $amount\n      currency: $currency\n      senderWallet: $sender_wallet\n      receiverWallet: $receiver_wallet\n      reference: $reference\n      resourceHash: $resource_hash\n      callbackUrl: $callback_url\n    }\n  ) {\n    receipt_id: receiptId\n    status\n    matched_by: matchedBy\n  }\n}",
      "params": [
        {
          "variable": "tip_tx_hash",
          "name": "tip_tx_hash",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "chain",
          "name": "chain",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "amount",
          "name": "amount",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Decimal",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "currency",
          "name": "currency",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "sender_wallet",
          "name": "sender_wallet",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "receiver_wallet",
          "name": "receiver_wallet",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "reference",
          "name": "reference",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "resource_hash",
          "name": "resource_hash",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Hash32",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "callback_url",
          "name": "callback_url",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "URL",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "get_receipt",
    "title": "Read a receipt",
    "description": "One receipt by its id: status, links and hashes. Status goes from pending over awaiting_anchor to anchored, or to failed; the evidence is complete only when it is anchored. Read bundle_url from here and build no URL yourself. Needs no API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "rid": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The receipt’s UUID."
        }
      },
      "required": [
        "rid"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "UUID; also the UETR of its messages."
        },
        "status": {
          "type": "string",
          "enum": [
            "anchored",
            "awaiting_anchor",
            "failed",
            "pending"
          ],
          "description": "Complete only when `anchored`."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "SHA-256 of the current evidence bundle, 0x-prefixed. Null until sealed."
        },
        "ledger_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "Anchor transaction id, 0x-prefixed. Null until anchored."
        },
        "flare_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "deprecated": true,
          "description": "Older name of `ledger_txid`."
        },
        "xml_url": {
          "type": [
            "string",
            "null"
          ],
          "format": "uri",
          "description": "URL of the ISO message inside the bundle. Null until sealed."
        },
        "bundle_url": {
          "type": [
            "string",
            "null"
          ],
          "format": "uri",
          "description": "URL of the evidence ZIP. Null until sealed."
        },
        "resource_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "SHA-256 of the delivered bytes, 0x-prefixed, as supplied at creation."
        },
        "created_at": {
          "type": "string",
          "format": "date-time",
          "description": "When the receipt was recorded."
        },
        "anchored_at": {
          "type": [
            "string",
            "null"
          ],
          "format": "date-time",
          "description": "Time of the block that carries the anchor. Null until anchored."
        }
      },
      "required": [
        "id",
        "status",
        "bundle_hash",
        "ledger_txid",
        "flare_txid",
        "xml_url",
        "bundle_url",
        "resource_hash",
        "created_at",
        "anchored_at"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/iso/receipts/{rid}"
    },
    "paid": false,
    "places": {
      "rid": "path"
    },
    "operation": {
      "name": "Receipt",
      "method": "GET",
      "path": "/v1/iso/receipts/:rid",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "receipt",
      "feeds": {
        "id": [
          "body",
          "rid"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query Receipt($rid: ID!) {\n  receipt(id: $rid) {\n    id\n    status\n    bundle_hash: bundleHash\n    ledger_txid: anchorTx\n    flare_txid: anchorTx\n    xml_url: xmlUrl\n    bundle_url: bundleUrl\n    resource_hash: resourceHash\n    created_at: createdAt\n    anchored_at: anchoredAt\n  }\n}",
      "params": [
        {
          "variable": "rid",
          "name": "rid",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        }
      ]
    }
  },
  {
    "name": "list_receipts",
    "title": "List receipts",
    "description": "Receipts of your own project by page number, newest first, filtered by status, chain, reference or time. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "scope": {
          "type": [
            "string",
            "null"
          ],
          "enum": [
            "mine",
            "all",
            null
          ],
          "default": "mine",
          "description": "`mine`: the receipts of the key’s project. `all`: every project’s; service administrators only."
        },
        "status": {
          "type": "string",
          "enum": [
            "pending",
            "awaiting_anchor",
            "anchored",
            "failed"
          ],
          "description": "Only receipts in this state: pending, awaiting_anchor, anchored or failed."
        },
        "chain": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only receipts of payments on this chain, by its exact name."
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only receipts whose reference contains this text, taken literally."
        },
        "since": {
          "anyOf": [
            {
              "anyOf": [
                {
                  "type": "string",
                  "format": "date"
                },
                {
                  "type": "string",
                  "format": "date-time"
                }
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Only receipts created at or after this date or RFC 3339 timestamp (UTC)."
        },
        "until": {
          "anyOf": [
            {
              "anyOf": [
                {
                  "type": "string",
                  "format": "date"
                },
                {
                  "type": "string",
                  "format": "date-time"
                }
              ]
            },
            {
              "type": "null"
            }
          ],
          "description": "Only receipts created at or before this RFC 3339 timestamp, or on or before this whole date (UTC)."
        },
        "project_id": {
          "type": [
            "string",
            "null"
          ],
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "Only receipts of this project."
        },
        "page": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 1,
          "maximum": 1000000,
          "default": 1,
          "description": "Page number, from 1."
        },
        "page_size": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 1,
          "maximum": 200,
          "default": 20,
          "description": "Receipts a page, 1 to 200."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "format": "uuid",
                "description": "UUID; also the UETR of its messages."
              },
              "status": {
                "type": "string",
                "enum": [
                  "anchored",
                  "awaiting_anchor",
                  "failed",
                  "pending"
                ],
                "description": "Complete only when `anchored`."
              },
              "amount": {
                "type": "string",
                "description": "Exact amount, in units of `currency`."
              },
              "currency": {
                "type": "string",
                "description": "Asset or currency label."
              },
              "chain": {
                "type": "string",
                "description": "Chain of the payment, as the caller named it."
              },
              "reference": {
                "type": "string",
                "description": "The business identifier given at creation."
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "description": "When the receipt was recorded."
              },
              "anchored_at": {
                "type": [
                  "string",
                  "null"
                ],
                "format": "date-time",
                "description": "Time of the block that carries the anchor. Null until anchored."
              }
            },
            "required": [
              "id",
              "status",
              "amount",
              "currency",
              "chain",
              "reference",
              "created_at",
              "anchored_at"
            ]
          },
          "description": "The receipts of this page."
        },
        "total": {
          "type": "integer",
          "description": "Receipts on all pages."
        },
        "page": {
          "type": "integer",
          "description": "Page number, from 1."
        },
        "page_size": {
          "type": "integer",
          "description": "Receipts a page."
        }
      },
      "required": [
        "items",
        "total",
        "page",
        "page_size"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/receipts"
    },
    "paid": false,
    "places": {
      "scope": "query",
      "status": "query",
      "chain": "query",
      "reference": "query",
      "since": "query",
      "until": "query",
      "project_id": "query",
      "page": "query",
      "page_size": "query"
    },
    "operation": {
      "name": "Receipts",
      "method": "GET",
      "path": "/v1/receipts",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "receipts",
      "feeds": {
        "scope": [
          "body",
          "scope"
        ],
        "filter.statuses.0": [
          "body",
          "status"
        ],
        "filter.chains.0": [
          "body",
          "chain"
        ],
        "filter.reference": [
          "body",
          "reference"
        ],
        "filter.createdAt.since": [
          "body",
          "since"
        ],
        "filter.createdAt.until": [
          "body",
          "until"
        ],
        "filter.projectId": [
          "body",
          "project_id"
        ],
        "first": [
          "body",
          "page_size"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "variables": {
          "page": "page",
          "page_size": "page_size"
        }
      },
      "page": {
        "number": "page",
        "size": "page_size",
        "defaults": {
          "page": 1,
          "page_size": 20
        },
        "in": "body"
      },
      "document": "query Receipts($scope: ReceiptScope, $status: [ReceiptStatus!], $chain: [String!], $reference: String, $since: DateTime, $until: DateTime, $project_id: ID, $page_size: Int = 20, $page_cursor: String) {\n  receipts(\n    scope: $scope\n    filter: {\n      statuses: $status\n      chains: $chain\n      reference: $reference\n      createdAt: { since: $since, until: $until }\n      projectId: $project_id\n    }\n    first: $page_size\n    after: $page_cursor\n  ) {\n    items: nodes {\n      id\n      status\n      amount\n      currency\n      chain\n      reference\n      created_at: createdAt\n      anchored_at: anchoredAt\n    }\n    total: totalCount\n    page: __typename\n    page_size: __typename\n  }\n}",
      "params": [
        {
          "variable": "scope",
          "name": "scope",
          "in": "body",
          "type": {
            "kind": "enum",
            "name": "ReceiptScope",
            "values": [
              "all",
              "mine"
            ],
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "status",
          "name": "status",
          "in": "body",
          "single": true,
          "type": {
            "kind": "enum",
            "name": "ReceiptStatus",
            "values": [
              "anchored",
              "awaiting_anchor",
              "failed",
              "pending"
            ],
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "chain",
          "name": "chain",
          "in": "body",
          "single": true,
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "reference",
          "name": "reference",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "since",
          "name": "since",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "DateTime",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "until",
          "name": "until",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "DateTime",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "project_id",
          "name": "project_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "page",
          "name": "page",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Int",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "page_size",
          "name": "page_size",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Int",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "list_messages",
    "title": "List the messages of a receipt",
    "description": "The ISO 20022-style messages made for a receipt, the newest of each type, with the URL and SHA-256 of each. Needs no API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "rid": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The receipt’s UUID."
        },
        "type": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "Only messages of exactly this type, for instance `pain.001`."
        }
      },
      "required": [
        "rid"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "type": {
                "type": "string",
                "description": "`pain.001`, `pain.002`, `camt.054` …; `evidence` for the bundle."
              },
              "url": {
                "type": "string",
                "description": "URL to download the file."
              },
              "sha256": {
                "type": "string",
                "description": "SHA-256 of the file, 0x-prefixed."
              },
              "created_at": {
                "type": "string",
                "format": "date-time",
                "description": "When it was generated."
              }
            },
            "required": [
              "type",
              "url",
              "sha256",
              "created_at"
            ]
          }
        }
      },
      "required": [
        "items"
      ]
    },
    "isList": true,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/iso/messages/{rid}"
    },
    "paid": false,
    "places": {
      "rid": "path",
      "type": "query"
    },
    "operation": {
      "name": "Messages",
      "method": "GET",
      "path": "/v1/iso/messages/:rid",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "receipt",
      "feeds": {
        "id": [
          "body",
          "rid"
        ],
        "type": [
          "body",
          "type"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "only": "messages"
      },
      "page": null,
      "document": "query Messages($rid: ID!, $type: String) {\n  receipt(id: $rid) {\n    messages(type: $type) {\n      type\n      url\n      sha256\n      created_at: createdAt\n    }\n  }\n}",
      "params": [
        {
          "variable": "rid",
          "name": "rid",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "type",
          "name": "type",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "list_anchors",
    "title": "List the anchors of a receipt",
    "description": "The confirmed transactions that carry the hash of a receipt's bundle on chain, one for each chain. Needs no API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "rid": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The receipt’s UUID."
        }
      },
      "required": [
        "rid"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "chain": {
                "type": "string",
                "description": "Name of the anchoring chain."
              },
              "txid": {
                "type": [
                  "string",
                  "null"
                ],
                "pattern": "^0x[0-9a-f]{64}$",
                "description": "The transaction, 0x-prefixed."
              },
              "anchored_at": {
                "type": [
                  "string",
                  "null"
                ],
                "format": "date-time",
                "description": "Time of the block that carries the transaction."
              },
              "block_number": {
                "type": [
                  "integer",
                  "null"
                ],
                "description": "Number of the block that carries the transaction."
              },
              "block_hash": {
                "type": [
                  "string",
                  "null"
                ],
                "pattern": "^0x[0-9a-f]{64}$",
                "description": "Hash of the block that carries the transaction."
              },
              "contract": {
                "type": [
                  "string",
                  "null"
                ],
                "pattern": "^0x[0-9a-f]{40}$",
                "description": "The evidence anchor contract."
              },
              "finality": {
                "type": [
                  "string",
                  "null"
                ],
                "enum": [
                  "final",
                  "included",
                  "safe",
                  null
                ],
                "description": "Null until mined. A receipt is anchored only when its anchors are final on every chain."
              }
            },
            "required": [
              "chain",
              "txid",
              "anchored_at",
              "block_number",
              "block_hash",
              "contract",
              "finality"
            ]
          }
        }
      },
      "required": [
        "items"
      ]
    },
    "isList": true,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/anchors/{rid}"
    },
    "paid": false,
    "places": {
      "rid": "path"
    },
    "operation": {
      "name": "Anchors",
      "method": "GET",
      "path": "/v1/anchors/:rid",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "receipt",
      "feeds": {
        "id": [
          "body",
          "rid"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": {
        "only": "anchors"
      },
      "page": null,
      "document": "query Anchors($rid: ID!) {\n  receipt(id: $rid) {\n    anchors(isMined: true) {\n      chain\n      txid: anchorTx\n      anchored_at: anchoredAt\n      block_number: blockNumber\n      block_hash: blockHash\n      contract\n      finality\n    }\n  }\n}",
      "params": [
        {
          "variable": "rid",
          "name": "rid",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        }
      ]
    }
  },
  {
    "name": "get_compliance_report",
    "title": "Read the compliance checks of a receipt",
    "description": "The decisions of compliance providers about a receipt of your own project; unavailable does not mean allow. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "receipt_id": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The receipt’s UUID."
        }
      },
      "required": [
        "receipt_id"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "receipt_id": {
          "type": "string",
          "format": "uuid",
          "description": "The receipt’s UUID."
        },
        "decision": {
          "type": "string",
          "enum": [
            "allow",
            "deny",
            "flag",
            "unavailable"
          ],
          "description": "The worst decision of the checks; `unavailable` while no check was made."
        },
        "checks": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "type": {
                "type": "string",
                "enum": [
                  "sanctions",
                  "travel_rule"
                ],
                "description": "Type of the check."
              },
              "decision": {
                "type": "string",
                "enum": [
                  "allow",
                  "deny",
                  "flag",
                  "unavailable"
                ],
                "description": "Decision of the check."
              },
              "reason": {
                "type": [
                  "string",
                  "null"
                ],
                "description": "Reason for the decision, in the provider’s words: at most 500 characters."
              },
              "provider": {
                "type": "string",
                "description": "Name of the provider. `none`: no provider is configured, and nothing was checked. `threshold`: the amount is below the threshold of the travel rule, and no provider was queried."
              },
              "checked_at": {
                "type": "string",
                "format": "date-time",
                "description": "When the check was made or last tried."
              }
            },
            "required": [
              "type",
              "decision",
              "reason",
              "provider",
              "checked_at"
            ]
          },
          "description": "One check of each type."
        }
      },
      "required": [
        "receipt_id",
        "decision",
        "checks"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/v1/receipts/{receipt_id}/compliance-checks"
    },
    "paid": false,
    "places": {
      "receipt_id": "path"
    },
    "operation": {
      "name": "ComplianceChecks",
      "method": "GET",
      "path": "/v1/receipts/:receipt_id/compliance-checks",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "receipt",
      "feeds": {
        "id": [
          "body",
          "receipt_id"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query ComplianceChecks($receipt_id: ID!) {\n  receipt(id: $receipt_id) {\n    receipt_id: id\n    decision: complianceDecision\n    checks: complianceChecks {\n      type\n      decision\n      reason\n      provider\n      checked_at: checkedAt\n    }\n  }\n}",
      "params": [
        {
          "variable": "receipt_id",
          "name": "receipt_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        }
      ]
    }
  },
  {
    "name": "generate_statement",
    "title": "Make a statement",
    "description": "Make a statement of your own project: every anchored receipt that was booked in the window. camt.053 for a whole day, camt.052 for part of one, both ISO 20022-style XML, downloaded from `url`. Needs an API key that may write. Each call makes a new statement.",
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "date": {
          "type": [
            "string",
            "null"
          ],
          "format": "date",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$",
          "description": "The day, in UTC; today unless given."
        },
        "window": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$",
          "default": "00:00-23:59",
          "description": "First and last minute, in UTC; the whole day unless given."
        },
        "project_id": {
          "type": [
            "string",
            "null"
          ],
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The project; needed from a service administrator, else the key’s own."
        }
      },
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "UUID."
        },
        "type": {
          "type": "string",
          "description": "`camt.053` for a whole day, `camt.052` for part of one."
        },
        "date": {
          "type": "string",
          "format": "date",
          "description": "The day, in UTC."
        },
        "window": {
          "type": "string",
          "description": "First and last minute of the window, in UTC: HH:MM-HH:MM."
        },
        "count": {
          "type": "integer",
          "description": "Entries on all pages."
        },
        "url": {
          "type": "string",
          "format": "uri",
          "description": "URL to download the first page."
        },
        "sha256": {
          "type": "string",
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "SHA-256 of the first page, 0x-prefixed."
        }
      },
      "required": [
        "id",
        "type",
        "date",
        "window",
        "count",
        "url",
        "sha256"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": null,
    "paid": false,
    "places": {
      "date": "body",
      "window": "body",
      "project_id": "body"
    },
    "operation": {
      "name": "GenerateStatement",
      "method": "POST",
      "path": "",
      "kind": "json",
      "status": 200,
      "access": "write",
      "root": "generate_statement",
      "feeds": {
        "input.date": [
          "body",
          "date"
        ],
        "input.window": [
          "body",
          "window"
        ],
        "input.projectId": [
          "body",
          "project_id"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "mutation GenerateStatement($date: Date, $window: String, $project_id: ID) {\n  generate_statement: generateStatement(\n    input: { date: $date, window: $window, projectId: $project_id }\n  ) {\n    id\n    type\n    date\n    window\n    count\n    url\n    sha256\n  }\n}",
      "params": [
        {
          "variable": "date",
          "name": "date",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Date",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "window",
          "name": "window",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "project_id",
          "name": "project_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "get_statement",
    "title": "Read a statement",
    "description": "One statement of your own project, by the id that `generate_statement` returned. Needs an API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "statement_id": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "The statement’s UUID."
        }
      },
      "required": [
        "statement_id"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "format": "uuid",
          "description": "UUID."
        },
        "type": {
          "type": "string",
          "description": "`camt.053` for a whole day, `camt.052` for part of one."
        },
        "date": {
          "type": "string",
          "format": "date",
          "description": "The day, in UTC."
        },
        "window": {
          "type": "string",
          "description": "First and last minute of the window, in UTC: HH:MM-HH:MM."
        },
        "count": {
          "type": "integer",
          "description": "Entries on all pages."
        },
        "url": {
          "type": "string",
          "format": "uri",
          "description": "URL to download the first page."
        },
        "sha256": {
          "type": "string",
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "SHA-256 of the first page, 0x-prefixed."
        }
      },
      "required": [
        "id",
        "type",
        "date",
        "window",
        "count",
        "url",
        "sha256"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": null,
    "paid": false,
    "places": {
      "statement_id": "body"
    },
    "operation": {
      "name": "Statement",
      "method": "POST",
      "path": "",
      "kind": "json",
      "status": 200,
      "access": "read",
      "root": "statement",
      "feeds": {
        "id": [
          "body",
          "statement_id"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query Statement($statement_id: ID!) {\n  statement(id: $statement_id) {\n    id\n    type\n    date\n    window\n    count\n    url\n    sha256\n  }\n}",
      "params": [
        {
          "variable": "statement_id",
          "name": "statement_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": false
          },
          "required": true
        }
      ]
    }
  },
  {
    "name": "verify_evidence",
    "title": "Verify evidence",
    "description": "Verify an evidence bundle against the chain, by the URL of the bundle, by its hash, or by the transaction that anchored it. The bundle is verified only when errors is empty and matches_onchain is true; with any entry in errors it is not, whatever the other fields are. Verification proves what was recorded, not that the payment happened. Needs no API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": true
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "bundle_url": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 2048,
          "format": "uri",
          "description": "URL of the evidence ZIP."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-fA-F]{64}$",
          "description": "The expected SHA-256 of the ZIP, 0x-prefixed."
        },
        "txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-fA-F]{64}$",
          "description": "The anchor transaction, 0x-prefixed."
        }
      },
      "additionalProperties": false,
      "minProperties": 1
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "matches_onchain": {
          "type": "boolean",
          "description": "A final, successful transaction of the expected contract carries exactly this hash."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The bundle hash that was searched for, 0x-prefixed."
        },
        "ledger_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The anchor transaction, 0x-prefixed."
        },
        "flare_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "deprecated": true,
          "description": "Older name of `ledger_txid`."
        },
        "anchored_at": {
          "type": [
            "string",
            "null"
          ],
          "format": "date-time",
          "description": "Block time of the anchor."
        },
        "errors": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Ids of the checks that failed."
        }
      },
      "required": [
        "matches_onchain",
        "bundle_hash",
        "ledger_txid",
        "flare_txid",
        "anchored_at",
        "errors"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "POST",
      "path": "/v1/iso/verify"
    },
    "paid": false,
    "places": {
      "bundle_url": "body",
      "bundle_hash": "body",
      "txid": "body"
    },
    "operation": {
      "name": "Verify",
      "method": "POST",
      "path": "/v1/iso/verify",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "verify_evidence",
      "feeds": {
        "bundleUrl": [
          "body",
          "bundle_url"
        ],
        "bundleHash": [
          "body",
          "bundle_hash"
        ],
        "anchorTx": [
          "body",
          "txid"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query Verify($bundle_url: URL, $bundle_hash: Hash32, $txid: Hash32) {\n  verify_evidence: verifyEvidence(\n    bundleUrl: $bundle_url\n    bundleHash: $bundle_hash\n    anchorTx: $txid\n  ) {\n    matches_onchain: matchesOnchain\n    bundle_hash: bundleHash\n    ledger_txid: anchorTx\n    flare_txid: anchorTx\n    anchored_at: anchoredAt\n    errors\n  }\n}",
      "params": [
        {
          "variable": "bundle_url",
          "name": "bundle_url",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "URL",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "bundle_hash",
          "name": "bundle_hash",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Hash32",
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "txid",
          "name": "txid",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "Hash32",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "verify_content",
    "title": "Verify evidence in IPFS or Arweave",
    "description": "Verify an evidence bundle by its content id in IPFS or Arweave; the result means the same as that of verify_evidence. Needs no API key.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": true
    },
    "inputSchema": {
      "type": "object",
      "properties": {
        "cid": {
          "type": "string",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
          "description": "An IPFS CID, or an Arweave transaction id."
        },
        "store": {
          "type": [
            "string",
            "null"
          ],
          "enum": [
            "ipfs",
            "arweave",
            "auto",
            null
          ],
          "description": "The store to query; chosen by the form of the id unless given."
        },
        "receipt_id": {
          "type": [
            "string",
            "null"
          ],
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
          "description": "UUID of the receipt whose bundle it must be."
        }
      },
      "required": [
        "cid"
      ],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "matches_onchain": {
          "type": "boolean",
          "description": "A final, successful transaction of the expected contract carries exactly this hash."
        },
        "bundle_hash": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The bundle hash that was searched for, 0x-prefixed."
        },
        "ledger_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "description": "The anchor transaction, 0x-prefixed."
        },
        "flare_txid": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^0x[0-9a-f]{64}$",
          "deprecated": true,
          "description": "Older name of `ledger_txid`."
        },
        "anchored_at": {
          "type": [
            "string",
            "null"
          ],
          "format": "date-time",
          "description": "Block time of the anchor."
        },
        "errors": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Ids of the checks that failed."
        }
      },
      "required": [
        "matches_onchain",
        "bundle_hash",
        "ledger_txid",
        "flare_txid",
        "anchored_at",
        "errors"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "POST",
      "path": "/v1/iso/verify-cid"
    },
    "paid": false,
    "places": {
      "cid": "body",
      "store": "body",
      "receipt_id": "body"
    },
    "operation": {
      "name": "VerifyCid",
      "method": "POST",
      "path": "/v1/iso/verify-cid",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "verify_content",
      "feeds": {
        "cid": [
          "body",
          "cid"
        ],
        "store": [
          "body",
          "store"
        ],
        "receiptId": [
          "body",
          "receipt_id"
        ]
      },
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query VerifyCid($cid: String!, $store: ContentStoreKind, $receipt_id: ID) {\n  verify_content: verifyContent(cid: $cid, store: $store, receiptId: $receipt_id) {\n    matches_onchain: matchesOnchain\n    bundle_hash: bundleHash\n    ledger_txid: anchorTx\n    flare_txid: anchorTx\n    anchored_at: anchoredAt\n    errors\n  }\n}",
      "params": [
        {
          "variable": "cid",
          "name": "cid",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "required": true
        },
        {
          "variable": "store",
          "name": "store",
          "in": "body",
          "type": {
            "kind": "enum",
            "name": "ContentStoreKind",
            "values": [
              "arweave",
              "auto",
              "ipfs"
            ],
            "nullable": true
          },
          "required": false
        },
        {
          "variable": "receipt_id",
          "name": "receipt_id",
          "in": "body",
          "type": {
            "kind": "scalar",
            "name": "ID",
            "format": "uuid",
            "nullable": true
          },
          "required": false
        }
      ]
    }
  },
  {
    "name": "get_evidence_keys",
    "title": "Read the signing keys",
    "description": "List the public keys that bundles are verified against, with their validity. Trust these, never the copy in a bundle.",
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    },
    "inputSchema": {
      "type": "object",
      "properties": {},
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "chains": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string",
                "description": "Name of the chain, as in anchors."
              },
              "caip2": {
                "type": [
                  "string",
                  "null"
                ],
                "description": "CAIP-2 id, for instance `eip155:14`."
              },
              "contract": {
                "type": "string",
                "description": "The evidence anchor contract, lower-case."
              },
              "finality": {
                "type": "string",
                "description": "When a block is final: `safe` or `finalized` as its nodes report, or a number of confirmations."
              },
              "deployed_at_block": {
                "type": "integer",
                "description": "First block worth searching for anchors."
              },
              "explorer_base_url": {
                "type": [
                  "string",
                  "null"
                ],
                "description": "Base URL of the chain’s block explorer."
              }
            },
            "required": [
              "name",
              "caip2",
              "contract",
              "finality",
              "deployed_at_block",
              "explorer_base_url"
            ]
          },
          "description": "The chains, the default chain first."
        },
        "keys": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "key_id": {
                "type": "string",
                "description": "First 16 hex digits of the SHA-256 of the key’s SPKI DER."
              },
              "algorithm": {
                "type": "string",
                "description": "Always Ed25519."
              },
              "public_key_pem": {
                "type": "string",
                "description": "SPKI in PEM."
              },
              "valid_from": {
                "type": "string",
                "format": "date-time",
                "description": "Bundles anchored before this time do not verify with the key."
              },
              "valid_to": {
                "type": [
                  "string",
                  "null"
                ],
                "format": "date-time",
                "description": "Bundles made or anchored after this time do not verify with the key; null while it is in use."
              }
            },
            "required": [
              "key_id",
              "algorithm",
              "public_key_pem",
              "valid_from",
              "valid_to"
            ]
          },
          "description": "The keys, oldest first."
        }
      },
      "required": [
        "chains",
        "keys"
      ]
    },
    "isList": false,
    "example": null,
    "answer": null,
    "http": {
      "method": "GET",
      "path": "/.well-known/evidence-keys.json"
    },
    "paid": false,
    "places": {},
    "operation": {
      "name": "EvidenceKeys",
      "method": "GET",
      "path": "/.well-known/evidence-keys.json",
      "kind": "json",
      "status": 200,
      "access": "public",
      "root": "evidence_keys",
      "feeds": {},
      "headers": [],
      "eventId": null,
      "rewrite": null,
      "page": null,
      "document": "query EvidenceKeys {\n  evidence_keys: evidenceKeys {\n    chains {\n      name\n      caip2\n      contract\n      finality\n      deployed_at_block: deployedAtBlock\n      explorer_base_url: explorerBaseUrl\n    }\n    keys {\n      key_id: keyId\n      algorithm\n      public_key_pem: publicKeyPem\n      valid_from: validFrom\n      valid_to: validTo\n    }\n  }\n}",
      "params": []
    }
  }
]
