// The routes of the REST API. Generated from rest/*.graphql. Do not edit: change the operation and generate again.
import type { Route } from '../../src/rest/route.ts'

export const routes: readonly Route[] = [
  {
    "name": "CreateAgent",
    "method": "POST",
    "path": "/v1/agents",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "create_agent",
    "feeds": {
      "input.name": [
        "body",
        "name"
      ],
      "input.walletAddress": [
        "body",
        "wallet_address"
      ],
      "input.xmtpAddress": [
        "body",
        "xmtp_address"
      ],
      "input.pricingRules": [
        "body",
        "pricing_rules"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "name",
        "name": "name",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "wallet_address",
        "name": "wallet_address",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "xmtp_address",
        "name": "xmtp_address",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "pricing_rules",
        "name": "pricing_rules",
        "in": "body",
        "type": {
          "kind": "object",
          "name": "AgentPricingRulesInput",
          "fields": [
            {
              "name": "max_per_call",
              "field": "maxPerCall",
              "type": {
                "kind": "scalar",
                "name": "Decimal",
                "nullable": true
              },
              "required": false
            },
            {
              "name": "max_per_day",
              "field": "maxPerDay",
              "type": {
                "kind": "scalar",
                "name": "Decimal",
                "nullable": true
              },
              "required": false
            }
          ],
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation CreateAgent($name: String!, $wallet_address: String!, $xmtp_address: String, $pricing_rules: AgentPricingRulesInput) {
  create_agent: createAgent(
    input: {
      name: $name
      walletAddress: $wallet_address
      xmtpAddress: $xmtp_address
      pricingRules: $pricing_rules
    }
  ) {
    ... on Agent {
      id
      name
      wallet_address: walletAddress
      xmtp_address: xmtpAddress
      pricing_rules: pricingRules {
        max_per_call: maxPerCall
        max_per_day: maxPerDay
      }
      status
      project_id: projectId
      ai_mode: aiMode
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`
  },
  {
    "name": "Agents",
    "method": "GET",
    "path": "/v1/agents",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "agents",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query Agents {
  agents {
    ... on Agent {
      id
      name
      wallet_address: walletAddress
      xmtp_address: xmtpAddress
      pricing_rules: pricingRules {
        max_per_call: maxPerCall
        max_per_day: maxPerDay
      }
      status
      project_id: projectId
      ai_mode: aiMode
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`
  },
  {
    "name": "Agent",
    "method": "GET",
    "path": "/v1/agents/:agent_id",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "agent",
    "feeds": {
      "id": [
        "path",
        "agent_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query Agent($agent_id: ID!) {
  agent(id: $agent_id) {
    ... on Agent {
      id
      name
      wallet_address: walletAddress
      xmtp_address: xmtpAddress
      pricing_rules: pricingRules {
        max_per_call: maxPerCall
        max_per_day: maxPerDay
      }
      status
      project_id: projectId
      ai_mode: aiMode
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`
  },
  {
    "name": "UpdateAgent",
    "method": "PUT",
    "path": "/v1/agents/:agent_id",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "update_agent",
    "feeds": {
      "input.id": [
        "path",
        "agent_id"
      ],
      "input.name": [
        "body",
        "name"
      ],
      "input.status": [
        "body",
        "status"
      ],
      "input.walletAddress": [
        "body",
        "wallet_address"
      ],
      "input.xmtpAddress": [
        "body",
        "xmtp_address"
      ],
      "input.pricingRules": [
        "body",
        "pricing_rules"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "name",
        "name": "name",
        "in": "body",
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
        "type": {
          "kind": "enum",
          "name": "AgentStatus",
          "values": [
            "active",
            "disabled",
            "paused"
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "wallet_address",
        "name": "wallet_address",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "xmtp_address",
        "name": "xmtp_address",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "pricing_rules",
        "name": "pricing_rules",
        "in": "body",
        "type": {
          "kind": "object",
          "name": "AgentPricingRulesInput",
          "fields": [
            {
              "name": "max_per_call",
              "field": "maxPerCall",
              "type": {
                "kind": "scalar",
                "name": "Decimal",
                "nullable": true
              },
              "required": false
            },
            {
              "name": "max_per_day",
              "field": "maxPerDay",
              "type": {
                "kind": "scalar",
                "name": "Decimal",
                "nullable": true
              },
              "required": false
            }
          ],
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation UpdateAgent($agent_id: ID!, $name: String, $status: AgentStatus, $wallet_address: String, $xmtp_address: String, $pricing_rules: AgentPricingRulesInput) {
  update_agent: updateAgent(
    input: {
      id: $agent_id
      name: $name
      status: $status
      walletAddress: $wallet_address
      xmtpAddress: $xmtp_address
      pricingRules: $pricing_rules
    }
  ) {
    ... on Agent {
      id
      name
      wallet_address: walletAddress
      xmtp_address: xmtpAddress
      pricing_rules: pricingRules {
        max_per_call: maxPerCall
        max_per_day: maxPerDay
      }
      status
      project_id: projectId
      ai_mode: aiMode
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`
  },
  {
    "name": "DeleteAgent",
    "method": "DELETE",
    "path": "/v1/agents/:agent_id",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "delete_agent",
    "feeds": {
      "input.id": [
        "path",
        "agent_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation DeleteAgent($agent_id: ID!) {
  delete_agent: deleteAgent(input: { id: $agent_id }) {
    id
    status
  }
}`
  },
  {
    "name": "AgentStats",
    "method": "GET",
    "path": "/v1/agents/:agent_id/stats",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "agent_stats",
    "feeds": {
      "agentId": [
        "path",
        "agent_id"
      ],
      "days": [
        "query",
        "days"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "days",
        "name": "days",
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "Int",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query AgentStats($agent_id: ID!, $days: Int) {
  agent_stats: agentStats(agentId: $agent_id, days: $days) {
    agent_id: agentId
    agent_name: agentName
    days
    payment_count: paymentCount
    total_spent: totalSpent
    payments {
      tx_hash: settlementTx
      amount
      endpoint
      verified_at: verifiedAt
    }
  }
}`
  },
  {
    "name": "TestAgent",
    "method": "POST",
    "path": "/v1/agents/:agent_id/test",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "run_agent_command",
    "feeds": {
      "input.agentId": [
        "path",
        "agent_id"
      ],
      "input.command": [
        "body",
        "command"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "command",
        "name": "command",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation TestAgent($agent_id: ID!, $command: String) {
  run_agent_command: runAgentCommand(
    input: { agentId: $agent_id, command: $command }
  ) {
    agent_id: agentId
    agent_name: agentName
    command_received: commandReceived
    response
    timestamp
  }
}`
  },
  {
    "name": "ConfigureAgentAi",
    "method": "PUT",
    "path": "/v1/agents/:agent_id/ai-config",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "configure_agent_ai",
    "feeds": {
      "input.id": [
        "path",
        "agent_id"
      ],
      "input.aiMode": [
        "body",
        "ai_mode"
      ],
      "input.aiSystemPrompt": [
        "body",
        "ai_system_prompt"
      ],
      "input.aiProvider": [
        "body",
        "ai_provider"
      ],
      "input.aiModel": [
        "body",
        "ai_model"
      ],
      "input.aiEndpoint": [
        "body",
        "ai_endpoint"
      ],
      "input.aiApiKey": [
        "body",
        "ai_api_key"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "ai_mode",
        "name": "ai_mode",
        "in": "body",
        "type": {
          "kind": "enum",
          "name": "AgentAiMode",
          "values": [
            "custom",
            "shared",
            "simple"
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "ai_system_prompt",
        "name": "ai_system_prompt",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "ai_provider",
        "name": "ai_provider",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "ai_model",
        "name": "ai_model",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "ai_endpoint",
        "name": "ai_endpoint",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "URL",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "ai_api_key",
        "name": "ai_api_key",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation ConfigureAgentAi($agent_id: ID!, $ai_mode: AgentAiMode, $ai_system_prompt: String, $ai_provider: String, $ai_model: String, $ai_endpoint: URL, $ai_api_key: String) {
  configure_agent_ai: configureAgentAi(
    input: {
      id: $agent_id
      aiMode: $ai_mode
      aiSystemPrompt: $ai_system_prompt
      aiProvider: $ai_provider
      aiModel: $ai_model
      aiEndpoint: $ai_endpoint
      aiApiKey: $ai_api_key
    }
  ) {
    ... on Agent {
      id
      name
      wallet_address: walletAddress
      xmtp_address: xmtpAddress
      pricing_rules: pricingRules {
        max_per_call: maxPerCall
        max_per_day: maxPerDay
      }
      status
      project_id: projectId
      ai_mode: aiMode
      created_at: createdAt
      updated_at: updatedAt
    }
  }
}`
  },
  {
    "name": "TestAgentAi",
    "method": "POST",
    "path": "/v1/agents/:agent_id/test-ai",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "test_agent_ai",
    "feeds": {
      "input.agentId": [
        "path",
        "agent_id"
      ],
      "input.testMessage": [
        "body",
        "test_message"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "test_message",
        "name": "test_message",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation TestAgentAi($agent_id: ID!, $test_message: String) {
  test_agent_ai: testAgentAi(
    input: { agentId: $agent_id, testMessage: $test_message }
  ) {
    mode
    test_message: testMessage
    parsed_result: parsedResult {
      command
      arguments
    }
    ai_provider: aiProvider
    ai_model: aiModel
  }
}`
  },
  {
    "name": "AgentTemplate",
    "method": "POST",
    "path": "/v1/agents/:agent_id/download-template",
    "kind": "file",
    "status": 200,
    "access": "write",
    "root": "agent_template",
    "feeds": {
      "id": [
        "path",
        "agent_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query AgentTemplate($agent_id: ID!) {
  agent_template: agentTemplate(id: $agent_id) {
    name
    media_type: mediaType
    sha256
    content
  }
}`
  },
  {
    "name": "AgentAnchoring",
    "method": "GET",
    "path": "/v1/agents/:agent_id/anchoring-config",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "agent",
    "feeds": {
      "id": [
        "path",
        "agent_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query AgentAnchoring($agent_id: ID!) {
  agent(id: $agent_id) {
    ... on Agent {
      id
      auto_anchor_enabled: autoAnchorEnabled
      anchor_on_payment: anchorOnPayment
      anchor_wallet: anchorWallet
    }
  }
}`
  },
  {
    "name": "ConfigureAgentAnchoring",
    "method": "PUT",
    "path": "/v1/agents/:agent_id/anchoring-config",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "configure_agent_anchoring",
    "feeds": {
      "input.id": [
        "path",
        "agent_id"
      ],
      "input.autoAnchorEnabled": [
        "body",
        "auto_anchor_enabled"
      ],
      "input.anchorOnPayment": [
        "body",
        "anchor_on_payment"
      ],
      "input.anchorWalletAddress": [
        "body",
        "anchor_wallet_address"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "auto_anchor_enabled",
        "name": "auto_anchor_enabled",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Boolean",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "anchor_on_payment",
        "name": "anchor_on_payment",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Boolean",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "anchor_wallet_address",
        "name": "anchor_wallet_address",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation ConfigureAgentAnchoring($agent_id: ID!, $auto_anchor_enabled: Boolean, $anchor_on_payment: Boolean, $anchor_wallet_address: String) {
  configure_agent_anchoring: configureAgentAnchoring(
    input: {
      id: $agent_id
      autoAnchorEnabled: $auto_anchor_enabled
      anchorOnPayment: $anchor_on_payment
      anchorWalletAddress: $anchor_wallet_address
    }
  ) {
    ... on Agent {
      id
      auto_anchor_enabled: autoAnchorEnabled
      anchor_on_payment: anchorOnPayment
      anchor_wallet: anchorWallet
    }
  }
}`
  },
  {
    "name": "AnchorForAgent",
    "method": "POST",
    "path": "/v1/agents/:agent_id/anchor",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "anchor_for_agent",
    "feeds": {
      "input.agentId": [
        "path",
        "agent_id"
      ],
      "input.bundleHash": [
        "body",
        "bundle_hash"
      ],
      "input.receiptId": [
        "body",
        "receipt_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "bundle_hash",
        "name": "bundle_hash",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Hash32",
          "nullable": false
        },
        "required": true
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
    ],
    "document": `mutation AnchorForAgent($agent_id: ID!, $bundle_hash: Hash32!, $receipt_id: ID) {
  anchor_for_agent: anchorForAgent(
    input: { agentId: $agent_id, bundleHash: $bundle_hash, receiptId: $receipt_id }
  ) {
    anchor_id: anchorId
    bundle_hash: bundleHash
    status
    message
  }
}`
  },
  {
    "name": "AgentAnchors",
    "method": "GET",
    "path": "/v1/agents/:agent_id/anchors",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "agent_anchors",
    "feeds": {
      "agentId": [
        "path",
        "agent_id"
      ],
      "days": [
        "query",
        "days"
      ],
      "status": [
        "query",
        "status"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "days",
        "name": "days",
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "Int",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "status",
        "name": "status",
        "in": "query",
        "type": {
          "kind": "enum",
          "name": "AgentAnchorStatus",
          "values": [
            "confirmed",
            "failed",
            "pending"
          ],
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query AgentAnchors($agent_id: ID!, $days: Int, $status: AgentAnchorStatus) {
  agent_anchors: agentAnchors(agentId: $agent_id, days: $days, status: $status) {
    id
    bundle_hash: bundleHash
    anchor_txid: anchorTx
    chain
    status
    anchored_at: anchoredAt
    created_at: createdAt
  }
}`
  },
  {
    "name": "AgentActivity",
    "method": "GET",
    "path": "/v1/agents/:agent_id/activity-unified",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "agent_activity",
    "feeds": {
      "agentId": [
        "path",
        "agent_id"
      ],
      "days": [
        "query",
        "days"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "agent_id",
        "name": "agent_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "days",
        "name": "days",
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "Int",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query AgentActivity($agent_id: ID!, $days: Int) {
  agent_activity: agentActivity(agentId: $agent_id, days: $days) {
    agent_id: agentId
    agent_name: agentName
    days
    activities {
      type
      id
      content
      timestamp
      details
    }
    summary {
      total_payments: totalPayments
      total_anchors: totalAnchors
      anchored_payments: anchoredPayments
    }
  }
}`
  },
  {
    "name": "Assist",
    "method": "POST",
    "path": "/v1/ai/assist",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "assist",
    "feeds": {
      "input.messages": [
        "body",
        "messages"
      ],
      "input.scope": [
        "body",
        "scope"
      ],
      "input.sessionId": [
        "body",
        "session_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "messages",
        "name": "messages",
        "in": "body",
        "type": {
          "kind": "list",
          "of": {
            "kind": "object",
            "name": "AssistMessageInput",
            "fields": [
              {
                "name": "content",
                "field": "content",
                "type": {
                  "kind": "scalar",
                  "name": "String",
                  "nullable": false
                },
                "required": true
              },
              {
                "name": "role",
                "field": "role",
                "type": {
                  "kind": "enum",
                  "name": "AssistRole",
                  "values": [
                    "assistant",
                    "user"
                  ],
                  "nullable": false
                },
                "required": true
              }
            ],
            "nullable": false
          },
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "scope",
        "name": "scope",
        "in": "body",
        "type": {
          "kind": "object",
          "name": "AssistScopeInput",
          "fields": [
            {
              "name": "allow_read_artifacts",
              "field": "allowReadArtifacts",
              "type": {
                "kind": "scalar",
                "name": "Boolean",
                "nullable": true
              },
              "required": false
            },
            {
              "name": "allow_read_receipts",
              "field": "allowReadReceipts",
              "type": {
                "kind": "scalar",
                "name": "Boolean",
                "nullable": true
              },
              "required": false
            },
            {
              "name": "allowed_receipt_ids",
              "field": "allowedReceiptIds",
              "type": {
                "kind": "list",
                "of": {
                  "kind": "scalar",
                  "name": "ID",
                  "format": "uuid",
                  "nullable": false
                },
                "nullable": true
              },
              "required": false
            }
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "session_id",
        "name": "session_id",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation Assist($messages: [AssistMessageInput!]!, $scope: AssistScopeInput, $session_id: String) {
  assist(input: { messages: $messages, scope: $scope, sessionId: $session_id }) {
    reply
    used_tools: usedTools {
      tool
      ok
      receipt_ids: receiptIds
    }
  }
}`
  },
  {
    "name": "AssistantStatus",
    "method": "GET",
    "path": "/v1/ai/status",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "assistant_status",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query AssistantStatus {
  assistant_status: assistantStatus {
    enabled
    provider
    model
    features {
      tools
      streaming
      transcript_days: transcriptDays
      agent_keys: agentKeys
    }
  }
}`
  },
  {
    "name": "AuditEvents",
    "method": "GET",
    "path": "/v1/audit/events",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "audit_trail",
    "feeds": {
      "filter.actions.0": [
        "query",
        "action"
      ],
      "filter.objectTypes.0": [
        "query",
        "object_type"
      ],
      "filter.objectIds.0": [
        "query",
        "object_id"
      ],
      "filter.createdAt.since": [
        "query",
        "date_from"
      ],
      "filter.createdAt.until": [
        "query",
        "date_to"
      ],
      "first": [
        "query",
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
      "in": "query"
    },
    "params": [
      {
        "variable": "action",
        "name": "action",
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "Int",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query AuditEvents($action: [String!], $object_type: [String!], $object_id: [String!], $date_from: DateTime, $date_to: DateTime, $limit: Int = 50, $page_cursor: String) {
  audit_trail: auditTrail(
    filter: {
      actions: $action
      objectTypes: $object_type
      objectIds: $object_id
      createdAt: { since: $date_from, until: $date_to }
    }
    first: $limit
    after: $page_cursor
  ) {
    nodes {
      id
      action
      object_type: objectType
      object_id: objectId
      project_id: projectId
      actor
      created_at: createdAt
      details
    }
  }
}`
  },
  {
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
    "params": [],
    "document": `query Me {
  me {
    role
    project_id: projectId
    is_admin: isAdmin
  }
}`
  },
  {
    "name": "Projects",
    "method": "GET",
    "path": "/v1/projects",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "projects",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query Projects {
  projects {
    id
    name
    owner_wallet: ownerWallet
    created_at: createdAt
  }
}`
  },
  {
    "name": "ApiKeys",
    "method": "GET",
    "path": "/v1/auth/api-keys",
    "kind": "json",
    "status": 200,
    "access": "manage",
    "root": "api_keys",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query ApiKeys {
  api_keys: apiKeys {
    ... on ApiKeyRecord {
      id
      label
      role
      project_id: projectId
      created_at: createdAt
      last_used_at: lastUsedAt
      expires_at: expiresAt
      revoked_at: revokedAt
    }
  }
}`
  },
  {
    "name": "CreateApiKey",
    "method": "POST",
    "path": "/v1/auth/api-keys",
    "kind": "json",
    "status": 200,
    "access": "manage",
    "root": "create_api_key",
    "feeds": {
      "input.label": [
        "body",
        "label"
      ],
      "input.role": [
        "body",
        "role"
      ],
      "input.expiresAt": [
        "body",
        "expires_at"
      ],
      "input.projectId": [
        "body",
        "project_id"
      ]
    },
    "headers": [
      {
        "key": "key",
        "header": "X-API-Key"
      }
    ],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "label",
        "name": "label",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "role",
        "name": "role",
        "in": "body",
        "type": {
          "kind": "enum",
          "name": "ApiKeyRole",
          "values": [
            "project",
            "project_admin",
            "viewer"
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "expires_at",
        "name": "expires_at",
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
      }
    ],
    "document": `mutation CreateApiKey($label: String!, $role: ApiKeyRole, $expires_at: DateTime, $project_id: ID) {
  create_api_key: createApiKey(
    input: { label: $label, role: $role, expiresAt: $expires_at, projectId: $project_id }
  ) {
    ... on ApiKeyRecord {
      id
      label
      role
      project_id: projectId
      created_at: createdAt
      last_used_at: lastUsedAt
      expires_at: expiresAt
      revoked_at: revokedAt
    }
    key
  }
}`
  },
  {
    "name": "RevokeApiKey",
    "method": "DELETE",
    "path": "/v1/auth/api-keys/:id",
    "kind": "json",
    "status": 200,
    "access": "manage",
    "root": "revoke_api_key",
    "feeds": {
      "input.id": [
        "path",
        "id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "id",
        "name": "id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation RevokeApiKey($id: ID!) {
  revoke_api_key: revokeApiKey(input: { id: $id }) {
    status
    id
    revoked_at: revokedAt
  }
}`
  },
  {
    "name": "Health",
    "method": "GET",
    "path": "/v1/health",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "health",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query Health {
  health {
    status
    version
    ts
    deps {
      db {
        ok
        detail
      }
      chain {
        ok
        detail
      }
      worker {
        ok
        detail
      }
    }
  }
}`
  },
  {
    "name": "Ping",
    "method": "GET",
    "path": "/v1/ping",
    "kind": "text",
    "status": 200,
    "access": "public",
    "root": "__typename",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": {
      "value": "pong"
    },
    "page": null,
    "params": [],
    "document": `query Ping {
  __typename
}`
  },
  {
    "name": "ReceiptPageRedirect",
    "method": "GET",
    "path": "/receipt/:rid",
    "kind": "redirect",
    "status": 307,
    "access": "public",
    "root": "receipt_page_url",
    "feeds": {
      "id": [
        "path",
        "rid"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query ReceiptPageRedirect($rid: ID!) {
  receipt_page_url: receiptPageUrl(id: $rid)
}`
  },
  {
    "name": "EmbedPageRedirect",
    "method": "GET",
    "path": "/embed/receipt",
    "kind": "redirect",
    "status": 307,
    "access": "public",
    "root": "embed_page_url",
    "feeds": {
      "id": [
        "query",
        "rid"
      ],
      "theme": [
        "query",
        "theme"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "theme",
        "name": "theme",
        "in": "query",
        "type": {
          "kind": "enum",
          "name": "Theme",
          "values": [
            "dark",
            "light"
          ],
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query EmbedPageRedirect($rid: ID, $theme: Theme) {
  embed_page_url: embedPageUrl(id: $rid, theme: $theme)
}`
  },
  {
    "name": "Payments",
    "method": "GET",
    "path": "/v1/x402/payments",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "payments",
    "feeds": {
      "first": [
        "query",
        "limit"
      ],
      "filter.currencies.0": [
        "query",
        "currency"
      ],
      "filter.networks.0": [
        "query",
        "chain"
      ],
      "filter.statuses.0": [
        "query",
        "status"
      ],
      "filter.types.0": [
        "query",
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
      "in": "query"
    },
    "params": [
      {
        "variable": "limit",
        "name": "limit",
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
    ],
    "document": `query Payments($limit: Int = 50, $currency: [String!], $chain: [String!], $status: [PaymentStatus!], $payment_type: [PaymentType!], $page_cursor: String) {
  payments(
    filter: {
      currencies: $currency
      networks: $chain
      statuses: $status
      types: $payment_type
    }
    first: $limit
    after: $page_cursor
  ) {
    nodes {
      ... on Payment {
        id
        status
        payment_type: paymentType
        tx_hash: settlementTx
        amount
        currency
        chain: network
        payer
        recipient
        endpoint
        receipt_id: receiptId
        verified_at: verifiedAt
        settled_at: settledAt
      }
    }
  }
}`
  },
  {
    "name": "Payment",
    "method": "GET",
    "path": "/v1/x402/payments/:payment_id",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "payment",
    "feeds": {
      "id": [
        "path",
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
    "params": [
      {
        "variable": "payment_id",
        "name": "payment_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query Payment($payment_id: ID!) {
  payment(id: $payment_id) {
    ... on Payment {
      id
      status
      payment_type: paymentType
      tx_hash: settlementTx
      amount
      currency
      chain: network
      payer
      recipient
      endpoint
      receipt_id: receiptId
      verified_at: verifiedAt
      settled_at: settledAt
    }
    receipt {
      receipt_status: status
      bundle_hash: bundleHash
      ledger_txid: anchorTx
      flare_txid: anchorTx
    }
  }
}`
  },
  {
    "name": "RecordPayment",
    "method": "POST",
    "path": "/v1/x402/payments/:payment_id/receipt",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "record_payment",
    "feeds": {
      "input.paymentId": [
        "path",
        "payment_id"
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
    "params": [
      {
        "variable": "payment_id",
        "name": "payment_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
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
    ],
    "document": `mutation RecordPayment($payment_id: ID!, $project_id: ID) {
  record_payment: recordPayment(
    input: { paymentId: $payment_id, projectId: $project_id }
  ) {
    payment_id: paymentId
    receipt_id: receiptId
    status
    created
  }
}`
  },
  {
    "name": "PaymentComplianceChecks",
    "method": "GET",
    "path": "/v1/x402/payments/:payment_id/compliance-checks",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "payment",
    "feeds": {
      "id": [
        "path",
        "payment_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "payment_id",
        "name": "payment_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query PaymentComplianceChecks($payment_id: ID!) {
  payment(id: $payment_id) {
    payment_id: id
    receipt_id: receiptId
    decision: complianceDecision
    checks: complianceChecks {
      type
      decision
      reason
      provider
      checked_at: checkedAt
    }
  }
}`
  },
  {
    "name": "Revenue",
    "method": "GET",
    "path": "/v1/x402/revenue",
    "kind": "json",
    "status": 200,
    "access": "admin",
    "root": "revenue",
    "feeds": {
      "days": [
        "query",
        "days"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "days",
        "name": "days",
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "Int",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query Revenue($days: Int) {
  revenue(days: $days) {
    total_revenue: totalRevenue
    payment_count: paymentCount
    days
    currency
    by_endpoint: byEndpoint {
      endpoint
      count
      revenue
    }
    by_day: byDay {
      date
      count
      revenue
    }
  }
}`
  },
  {
    "name": "FacilitatorConfig",
    "method": "GET",
    "path": "/v1/x402/facilitator-config",
    "kind": "json",
    "status": 200,
    "access": "admin",
    "root": "facilitator_config",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query FacilitatorConfig {
  facilitator_config: facilitatorConfig {
    x402_version: x402Version
    scheme
    network
    chain_id: chainId
    asset
    asset_decimals: assetDecimals
    asset_domain: assetDomain {
      name
      version
    }
    pay_to: payTo
    facilitator
    max_timeout_seconds: maxTimeoutSeconds
  }
}`
  },
  {
    "name": "VerifyPayment",
    "method": "POST",
    "path": "/v1/x402/verify-payment",
    "kind": "json",
    "status": 200,
    "access": "admin",
    "root": "verify_payment",
    "feeds": {
      "paymentPayload": [
        "body",
        "payment_payload"
      ],
      "paymentRequirements": [
        "body",
        "payment_requirements"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "payment_payload",
        "name": "payment_payload",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "JSONObject",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "payment_requirements",
        "name": "payment_requirements",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "JSONObject",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query VerifyPayment($payment_payload: JSONObject!, $payment_requirements: JSONObject!) {
  verify_payment: verifyPayment(
    paymentPayload: $payment_payload
    paymentRequirements: $payment_requirements
  ) {
    valid
    payer
    reason
  }
}`
  },
  {
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
    ],
    "document": `query PremiumFxLookup($base_ccy: String, $quote_ccy: String, $provider: String) {
  premium_fx_rate: premiumFxRate(
    baseCcy: $base_ccy
    quoteCcy: $quote_ccy
    provider: $provider
  ) {
    base_ccy: baseCcy
    quote_ccy: quoteCcy
    rate
    source
    as_of: asOf
  }
}`
  },
  {
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
    ],
    "document": `query PremiumVerifyBundle($bundle_url: URL, $bundle_hash: Hash32, $txid: Hash32) {
  premium_verify_evidence: premiumVerifyEvidence(
    bundleUrl: $bundle_url
    bundleHash: $bundle_hash
    anchorTx: $txid
  ) {
    matches_onchain: matchesOnchain
    bundle_hash: bundleHash
    ledger_txid: anchorTx
    flare_txid: anchorTx
    anchored_at: anchoredAt
    errors
  }
}`
  },
  {
    "name": "PremiumStatement",
    "method": "POST",
    "path": "/v1/x402/premium/generate-statement",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "premium_statement",
    "feeds": {
      "date": [
        "query",
        "date"
      ],
      "window": [
        "query",
        "window"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "date",
        "name": "date",
        "in": "query",
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
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation PremiumStatement($date: Date, $window: String) {
  premium_statement: premiumStatement(date: $date, window: $window) {
    type
    date
    window
    count
    url
    sha256
  }
}`
  },
  {
    "name": "PremiumIsoMessage",
    "method": "GET",
    "path": "/v1/x402/premium/iso-message/:receipt_id/:type",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "premium_iso_message",
    "feeds": {
      "receiptId": [
        "path",
        "receipt_id"
      ],
      "type": [
        "path",
        "type"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "receipt_id",
        "name": "receipt_id",
        "in": "path",
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
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query PremiumIsoMessage($receipt_id: ID!, $type: String!) {
  premium_iso_message: premiumIsoMessage(receiptId: $receipt_id, type: $type) {
    type
    url
    sha256
    created_at: createdAt
    xml
  }
}`
  },
  {
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
    ],
    "document": `query PremiumBulkVerify($items: [VerifyLocatorInput!], $bundle_urls: [URL!]) {
  premium_verify_bundles: premiumVerifyBundles(
    items: $items
    bundleUrls: $bundle_urls
  ) {
    verified
    results {
      ... on VerifiedEntry {
        input {
          ... on VerifyLocator {
            bundle_url: bundleUrl
            bundle_hash: bundleHash
            txid: anchorTx
          }
        }
        result {
          matches_onchain: matchesOnchain
          bundle_hash: bundleHash
          ledger_txid: anchorTx
          flare_txid: anchorTx
          anchored_at: anchoredAt
          errors
        }
      }
      ... on UnverifiedEntry {
        input {
          ... on VerifyLocator {
            bundle_url: bundleUrl
            bundle_hash: bundleHash
            txid: anchorTx
          }
        }
        error
      }
    }
  }
}`
  },
  {
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
    ],
    "document": `mutation PremiumRefund($original_receipt_id: ID!, $reason_code: String, $refund_tx_hash: String) {
  premium_refund: premiumRefund(
    originalReceiptId: $original_receipt_id
    reasonCode: $reason_code
    refundTx: $refund_tx_hash
  ) {
    refund_receipt_id: id
    status
  }
}`
  },
  {
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
    "params": [],
    "document": `query Pricing {
  pricing {
    path
    price
    currency
    network
    asset
    recipient
    enabled
  }
}`
  },
  {
    "name": "SetPricing",
    "method": "POST",
    "path": "/v1/x402/pricing",
    "kind": "json",
    "status": 200,
    "access": "admin",
    "root": "set_prices",
    "feeds": {
      "input.prices": [
        "body"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "prices",
        "name": "prices",
        "in": "body",
        "whole": true,
        "type": {
          "kind": "list",
          "of": {
            "kind": "object",
            "name": "PriceChangeInput",
            "fields": [
              {
                "name": "enabled",
                "field": "enabled",
                "type": {
                  "kind": "scalar",
                  "name": "Boolean",
                  "nullable": true
                },
                "required": false
              },
              {
                "name": "path",
                "field": "path",
                "type": {
                  "kind": "scalar",
                  "name": "String",
                  "nullable": false
                },
                "required": true
              },
              {
                "name": "price",
                "field": "price",
                "type": {
                  "kind": "scalar",
                  "name": "Decimal",
                  "nullable": true
                },
                "required": false
              },
              {
                "name": "recipient",
                "field": "recipient",
                "type": {
                  "kind": "scalar",
                  "name": "Address",
                  "nullable": true
                },
                "required": false
              }
            ],
            "nullable": false
          },
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation SetPricing($prices: [PriceChangeInput!]!) {
  set_prices: setPrices(input: { prices: $prices }) {
    status
  }
}`
  },
  {
    "name": "ProjectConfig",
    "method": "GET",
    "path": "/v1/projects/:project_id/config",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "project_config",
    "feeds": {
      "projectId": [
        "path",
        "project_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "project_id",
        "name": "project_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query ProjectConfig($project_id: ID!) {
  project_config: projectConfig(projectId: $project_id) {
    ... on ProjectConfig {
      anchoring {
        execution_mode: executionMode
        chains {
          name
          contract
          rpc_url: rpcUrl
          explorer_base_url: explorerBaseUrl
        }
      }
      parties {
        initiator {
          ... on MessageParty {
            name
            country
            lei
          }
        }
        debtor {
          ... on MessageParty {
            name
            country
            lei
          }
        }
        creditor {
          ... on MessageParty {
            name
            country
            lei
          }
        }
      }
      fx_policy: fxPolicy {
        mode
        base_ccy: baseCcy
      }
    }
  }
}`
  },
  {
    "name": "ConfigureProject",
    "method": "PUT",
    "path": "/v1/projects/:project_id/config",
    "kind": "json",
    "status": 200,
    "access": "manage",
    "root": "configure_project",
    "feeds": {
      "input.projectId": [
        "path",
        "project_id"
      ],
      "input.anchoring": [
        "body",
        "anchoring"
      ],
      "input.parties": [
        "body",
        "parties"
      ],
      "input.fxPolicy": [
        "body",
        "fx_policy"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "project_id",
        "name": "project_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "anchoring",
        "name": "anchoring",
        "in": "body",
        "type": {
          "kind": "object",
          "name": "ProjectAnchoringInput",
          "fields": [
            {
              "name": "chains",
              "field": "chains",
              "type": {
                "kind": "list",
                "of": {
                  "kind": "object",
                  "name": "ProjectChainInput",
                  "fields": [
                    {
                      "name": "contract",
                      "field": "contract",
                      "type": {
                        "kind": "scalar",
                        "name": "Address",
                        "nullable": true
                      },
                      "required": false
                    },
                    {
                      "name": "explorer_base_url",
                      "field": "explorerBaseUrl",
                      "type": {
                        "kind": "scalar",
                        "name": "URL",
                        "nullable": true
                      },
                      "required": false
                    },
                    {
                      "name": "name",
                      "field": "name",
                      "type": {
                        "kind": "scalar",
                        "name": "String",
                        "nullable": false
                      },
                      "required": true
                    },
                    {
                      "name": "rpc_url",
                      "field": "rpcUrl",
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
                "nullable": false
              },
              "required": true
            },
            {
              "name": "execution_mode",
              "field": "executionMode",
              "type": {
                "kind": "enum",
                "name": "ExecutionMode",
                "values": [
                  "platform",
                  "tenant"
                ],
                "nullable": false
              },
              "required": true
            }
          ],
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "parties",
        "name": "parties",
        "in": "body",
        "type": {
          "kind": "object",
          "name": "ProjectPartiesInput",
          "fields": [
            {
              "name": "creditor",
              "field": "creditor",
              "type": {
                "kind": "object",
                "name": "MessagePartyInput",
                "fields": [
                  {
                    "name": "country",
                    "field": "country",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "lei",
                    "field": "lei",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "name",
                    "field": "name",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "debtor",
              "field": "debtor",
              "type": {
                "kind": "object",
                "name": "MessagePartyInput",
                "fields": [
                  {
                    "name": "country",
                    "field": "country",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "lei",
                    "field": "lei",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "name",
                    "field": "name",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "initiator",
              "field": "initiator",
              "type": {
                "kind": "object",
                "name": "MessagePartyInput",
                "fields": [
                  {
                    "name": "country",
                    "field": "country",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "lei",
                    "field": "lei",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "name",
                    "field": "name",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            }
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "fx_policy",
        "name": "fx_policy",
        "in": "body",
        "type": {
          "kind": "object",
          "name": "ProjectFxPolicyInput",
          "fields": [
            {
              "name": "base_ccy",
              "field": "baseCcy",
              "type": {
                "kind": "scalar",
                "name": "String",
                "nullable": true
              },
              "required": false
            },
            {
              "name": "mode",
              "field": "mode",
              "type": {
                "kind": "enum",
                "name": "ProjectFxMode",
                "values": [
                  "at_record",
                  "none",
                  "organisation"
                ],
                "nullable": true
              },
              "required": false
            }
          ],
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation ConfigureProject($project_id: ID!, $anchoring: ProjectAnchoringInput!, $parties: ProjectPartiesInput, $fx_policy: ProjectFxPolicyInput) {
  configure_project: configureProject(
    input: {
      projectId: $project_id
      anchoring: $anchoring
      parties: $parties
      fxPolicy: $fx_policy
    }
  ) {
    ... on ProjectConfig {
      anchoring {
        execution_mode: executionMode
        chains {
          name
          contract
          rpc_url: rpcUrl
          explorer_base_url: explorerBaseUrl
        }
      }
      parties {
        initiator {
          ... on MessageParty {
            name
            country
            lei
          }
        }
        debtor {
          ... on MessageParty {
            name
            country
            lei
          }
        }
        creditor {
          ... on MessageParty {
            name
            country
            lei
          }
        }
      }
      fx_policy: fxPolicy {
        mode
        base_ccy: baseCcy
      }
    }
  }
}`
  },
  {
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
    ],
    "document": `mutation RecordTip($tip_tx_hash: String!, $chain: String!, $amount: Decimal!, $currency: String!, $sender_wallet: String!, $receiver_wallet: String!, $reference: String!, $resource_hash: Hash32, $callback_url: URL) {
  find_or_record_receipt: findOrRecordReceipt(
    input: {
      settlementTx: $tip_tx_hash
      chain: $chain
      amount: $amount
      currency: $currency
      senderWallet: $sender_wallet
      receiverWallet: $receiver_wallet
      reference: $reference
      resourceHash: $resource_hash
      callbackUrl: $callback_url
    }
  ) {
    receipt_id: receiptId
    status
    matched_by: matchedBy
  }
}`
  },
  {
    "name": "Receipt",
    "method": "GET",
    "path": "/v1/iso/receipts/:rid",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "receipt",
    "feeds": {
      "id": [
        "path",
        "rid"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query Receipt($rid: ID!) {
  receipt(id: $rid) {
    id
    status
    bundle_hash: bundleHash
    ledger_txid: anchorTx
    flare_txid: anchorTx
    xml_url: xmlUrl
    bundle_url: bundleUrl
    resource_hash: resourceHash
    created_at: createdAt
    anchored_at: anchoredAt
  }
}`
  },
  {
    "name": "Receipts",
    "method": "GET",
    "path": "/v1/receipts",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "receipts",
    "feeds": {
      "scope": [
        "query",
        "scope"
      ],
      "filter.statuses.0": [
        "query",
        "status"
      ],
      "filter.chains.0": [
        "query",
        "chain"
      ],
      "filter.reference": [
        "query",
        "reference"
      ],
      "filter.createdAt.since": [
        "query",
        "since"
      ],
      "filter.createdAt.until": [
        "query",
        "until"
      ],
      "filter.projectId": [
        "query",
        "project_id"
      ],
      "first": [
        "query",
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
      "in": "query"
    },
    "params": [
      {
        "variable": "scope",
        "name": "scope",
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
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
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "Int",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query Receipts($scope: ReceiptScope, $status: [ReceiptStatus!], $chain: [String!], $reference: String, $since: DateTime, $until: DateTime, $project_id: ID, $page_size: Int = 20, $page_cursor: String) {
  receipts(
    scope: $scope
    filter: {
      statuses: $status
      chains: $chain
      reference: $reference
      createdAt: { since: $since, until: $until }
      projectId: $project_id
    }
    first: $page_size
    after: $page_cursor
  ) {
    items: nodes {
      id
      status
      amount
      currency
      chain
      reference
      created_at: createdAt
      anchored_at: anchoredAt
    }
    total: totalCount
    page: __typename
    page_size: __typename
  }
}`
  },
  {
    "name": "Messages",
    "method": "GET",
    "path": "/v1/iso/messages/:rid",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "receipt",
    "feeds": {
      "id": [
        "path",
        "rid"
      ],
      "type": [
        "query",
        "type"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": {
      "only": "messages"
    },
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
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
        "in": "query",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query Messages($rid: ID!, $type: String) {
  receipt(id: $rid) {
    messages(type: $type) {
      type
      url
      sha256
      created_at: createdAt
    }
  }
}`
  },
  {
    "name": "Events",
    "method": "GET",
    "path": "/v1/iso/events/:rid",
    "kind": "events",
    "status": 200,
    "access": "public",
    "root": "receipt_events",
    "feeds": {
      "receiptId": [
        "path",
        "rid"
      ],
      "after": [
        "header",
        "last-event-id"
      ]
    },
    "headers": [],
    "eventId": "id",
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "last_event_id",
        "name": "last-event-id",
        "in": "header",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `subscription Events($rid: ID!, $last_event_id: ID) {
  receipt_events: receiptEvents(receiptId: $rid, after: $last_event_id) {
    id
    receipt_id: receiptId
    status
    bundle_hash: bundleHash
    ledger_txid: anchorTx
    flare_txid: anchorTx
    xml_url: xmlUrl
    bundle_url: bundleUrl
    created_at: createdAt
    anchored_at: anchoredAt
  }
}`
  },
  {
    "name": "Anchors",
    "method": "GET",
    "path": "/v1/anchors/:rid",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "receipt",
    "feeds": {
      "id": [
        "path",
        "rid"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": {
      "only": "anchors"
    },
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query Anchors($rid: ID!) {
  receipt(id: $rid) {
    anchors(isMined: true) {
      chain
      txid: anchorTx
      anchored_at: anchoredAt
      block_number: blockNumber
      block_hash: blockHash
      contract
      finality
    }
  }
}`
  },
  {
    "name": "ComplianceChecks",
    "method": "GET",
    "path": "/v1/receipts/:receipt_id/compliance-checks",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "receipt",
    "feeds": {
      "id": [
        "path",
        "receipt_id"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "receipt_id",
        "name": "receipt_id",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query ComplianceChecks($receipt_id: ID!) {
  receipt(id: $receipt_id) {
    receipt_id: id
    decision: complianceDecision
    checks: complianceChecks {
      type
      decision
      reason
      provider
      checked_at: checkedAt
    }
  }
}`
  },
  {
    "name": "File",
    "method": "GET",
    "path": "/files/:rid/:name",
    "kind": "file",
    "status": 200,
    "access": "public",
    "root": "file",
    "feeds": {
      "owner": [
        "path",
        "rid"
      ],
      "name": [
        "path",
        "name"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "name",
        "name": "name",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `query File($rid: ID!, $name: String!) {
  file(owner: $rid, name: $name) {
    name
    media_type: mediaType
    sha256
    content
  }
}`
  },
  {
    "name": "BuildSdk",
    "method": "POST",
    "path": "/v1/sdk/build",
    "kind": "file",
    "status": 200,
    "access": "public",
    "root": "sdk",
    "feeds": {
      "lang": [
        "body",
        "lang"
      ],
      "baseUrl": [
        "body",
        "base_url"
      ],
      "auth": [
        "body",
        "auth"
      ],
      "packaging": [
        "body",
        "packaging"
      ],
      "families": [
        "body",
        "families"
      ],
      "includeX402": [
        "body",
        "include_x402"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "lang",
        "name": "lang",
        "in": "body",
        "type": {
          "kind": "enum",
          "name": "SdkLanguage",
          "values": [
            "python",
            "ts"
          ],
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "base_url",
        "name": "base_url",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "URL",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "auth",
        "name": "auth",
        "in": "body",
        "type": {
          "kind": "enum",
          "name": "SdkAuth",
          "values": [
            "api_key",
            "none"
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "packaging",
        "name": "packaging",
        "in": "body",
        "type": {
          "kind": "enum",
          "name": "SdkPackaging",
          "values": [
            "package",
            "sources"
          ],
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "families",
        "name": "families",
        "in": "body",
        "type": {
          "kind": "list",
          "of": {
            "kind": "scalar",
            "name": "String",
            "nullable": false
          },
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "include_x402",
        "name": "include_x402",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Boolean",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `query BuildSdk($lang: SdkLanguage!, $base_url: URL, $auth: SdkAuth, $packaging: SdkPackaging, $families: [String!], $include_x402: Boolean) {
  sdk(
    lang: $lang
    baseUrl: $base_url
    auth: $auth
    packaging: $packaging
    families: $families
    includeX402: $include_x402
  ) {
    name
    media_type: mediaType
    sha256
    content
  }
}`
  },
  {
    "name": "Organisation",
    "method": "GET",
    "path": "/v1/config",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "organisation",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query Organisation {
  organisation {
    ... on Organisation {
      org {
        name
        jurisdiction
        lei
        default_message_families: defaultMessageFamilies
      }
      ledger {
        network
        asset {
          symbol
          decimals
          contract_address: contractAddress
        }
      }
      mapping {
        charge_bearer: chargeBearer
        purpose
        category_purpose: categoryPurpose
        structured_remittance: structuredRemittance
        debtor_defaults: debtorDefaults {
          name
          country
          lei
        }
        creditor_defaults: creditorDefaults {
          name
          country
          lei
        }
        assets {
          label
          chain
          currency
          dti
        }
      }
      status {
        emit_pain002: emitPain002
        emit_pacs002: emitPacs002
        enable_cancellation: enableCancellation
        enable_returns: enableReturns
      }
      anchoring {
        chains
      }
      evidence {
        store {
          mode
        }
      }
      id_strategy: idStrategy {
        end_to_end_id: endToEndId
        uetr
      }
      fx_policy: fxPolicy {
        mode
        base_ccy: baseCcy
        provider
      }
      compliance {
        travel_rule_threshold: travelRuleThreshold
        travel_rule_provider: travelRuleProvider
        travel_rule_enforce: travelRuleEnforce
        sanctions_provider: sanctionsProvider
        sanctions_enforce: sanctionsEnforce
      }
    }
  }
}`
  },
  {
    "name": "ConfigureOrganisation",
    "method": "PUT",
    "path": "/v1/config",
    "kind": "json",
    "status": 200,
    "access": "admin",
    "root": "configure_organisation",
    "feeds": {
      "input": [
        "body"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "config",
        "name": "config",
        "in": "body",
        "whole": true,
        "type": {
          "kind": "object",
          "name": "OrganisationInput",
          "fields": [
            {
              "name": "anchoring",
              "field": "anchoring",
              "type": {
                "kind": "object",
                "name": "OrganisationAnchoringInput",
                "fields": [
                  {
                    "name": "chains",
                    "field": "chains",
                    "type": {
                      "kind": "list",
                      "of": {
                        "kind": "scalar",
                        "name": "String",
                        "nullable": false
                      },
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "compliance",
              "field": "compliance",
              "type": {
                "kind": "object",
                "name": "CompliancePolicyInput",
                "fields": [
                  {
                    "name": "sanctions_enforce",
                    "field": "sanctionsEnforce",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "sanctions_provider",
                    "field": "sanctionsProvider",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "travel_rule_enforce",
                    "field": "travelRuleEnforce",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "travel_rule_provider",
                    "field": "travelRuleProvider",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "travel_rule_threshold",
                    "field": "travelRuleThreshold",
                    "type": {
                      "kind": "scalar",
                      "name": "Decimal",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "evidence",
              "field": "evidence",
              "type": {
                "kind": "object",
                "name": "OrganisationEvidenceInput",
                "fields": [
                  {
                    "name": "store",
                    "field": "store",
                    "type": {
                      "kind": "object",
                      "name": "EvidenceStoreInput",
                      "fields": [
                        {
                          "name": "mode",
                          "field": "mode",
                          "type": {
                            "kind": "enum",
                            "name": "EvidenceStoreMode",
                            "values": [
                              "ipfs",
                              "local"
                            ],
                            "nullable": true
                          },
                          "required": false
                        }
                      ],
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "fx_policy",
              "field": "fxPolicy",
              "type": {
                "kind": "object",
                "name": "FxPolicyInput",
                "fields": [
                  {
                    "name": "base_ccy",
                    "field": "baseCcy",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "mode",
                    "field": "mode",
                    "type": {
                      "kind": "enum",
                      "name": "FxMode",
                      "values": [
                        "at_record",
                        "none"
                      ],
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "provider",
                    "field": "provider",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "id_strategy",
              "field": "idStrategy",
              "type": {
                "kind": "object",
                "name": "IdStrategyInput",
                "fields": [
                  {
                    "name": "end_to_end_id",
                    "field": "endToEndId",
                    "type": {
                      "kind": "enum",
                      "name": "EndToEndIdSource",
                      "values": [
                        "receipt_id",
                        "reference"
                      ],
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "uetr",
                    "field": "uetr",
                    "type": {
                      "kind": "enum",
                      "name": "UetrSource",
                      "values": [
                        "receipt_id",
                        "settlement"
                      ],
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "ledger",
              "field": "ledger",
              "type": {
                "kind": "object",
                "name": "OrganisationLedgerInput",
                "fields": [
                  {
                    "name": "asset",
                    "field": "asset",
                    "type": {
                      "kind": "object",
                      "name": "LedgerAssetInput",
                      "fields": [
                        {
                          "name": "contract_address",
                          "field": "contractAddress",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        },
                        {
                          "name": "decimals",
                          "field": "decimals",
                          "type": {
                            "kind": "scalar",
                            "name": "Int",
                            "nullable": true
                          },
                          "required": false
                        },
                        {
                          "name": "symbol",
                          "field": "symbol",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": false
                          },
                          "required": true
                        }
                      ],
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "network",
                    "field": "network",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "mapping",
              "field": "mapping",
              "type": {
                "kind": "object",
                "name": "MessageMappingInput",
                "fields": [
                  {
                    "name": "assets",
                    "field": "assets",
                    "type": {
                      "kind": "list",
                      "of": {
                        "kind": "object",
                        "name": "AssetMappingInput",
                        "fields": [
                          {
                            "name": "chain",
                            "field": "chain",
                            "type": {
                              "kind": "scalar",
                              "name": "String",
                              "nullable": true
                            },
                            "required": false
                          },
                          {
                            "name": "currency",
                            "field": "currency",
                            "type": {
                              "kind": "scalar",
                              "name": "String",
                              "nullable": true
                            },
                            "required": false
                          },
                          {
                            "name": "dti",
                            "field": "dti",
                            "type": {
                              "kind": "scalar",
                              "name": "String",
                              "nullable": true
                            },
                            "required": false
                          },
                          {
                            "name": "label",
                            "field": "label",
                            "type": {
                              "kind": "scalar",
                              "name": "String",
                              "nullable": false
                            },
                            "required": true
                          }
                        ],
                        "nullable": false
                      },
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "category_purpose",
                    "field": "categoryPurpose",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "charge_bearer",
                    "field": "chargeBearer",
                    "type": {
                      "kind": "enum",
                      "name": "ChargeBearer",
                      "values": [
                        "CRED",
                        "DEBT",
                        "SHAR",
                        "SLEV"
                      ],
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "creditor_defaults",
                    "field": "creditorDefaults",
                    "type": {
                      "kind": "object",
                      "name": "MessagePartyInput",
                      "fields": [
                        {
                          "name": "country",
                          "field": "country",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        },
                        {
                          "name": "lei",
                          "field": "lei",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        },
                        {
                          "name": "name",
                          "field": "name",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        }
                      ],
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "debtor_defaults",
                    "field": "debtorDefaults",
                    "type": {
                      "kind": "object",
                      "name": "MessagePartyInput",
                      "fields": [
                        {
                          "name": "country",
                          "field": "country",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        },
                        {
                          "name": "lei",
                          "field": "lei",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        },
                        {
                          "name": "name",
                          "field": "name",
                          "type": {
                            "kind": "scalar",
                            "name": "String",
                            "nullable": true
                          },
                          "required": false
                        }
                      ],
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "purpose",
                    "field": "purpose",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "structured_remittance",
                    "field": "structuredRemittance",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "org",
              "field": "org",
              "type": {
                "kind": "object",
                "name": "OrganisationIdentityInput",
                "fields": [
                  {
                    "name": "default_message_families",
                    "field": "defaultMessageFamilies",
                    "type": {
                      "kind": "list",
                      "of": {
                        "kind": "scalar",
                        "name": "String",
                        "nullable": false
                      },
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "jurisdiction",
                    "field": "jurisdiction",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "lei",
                    "field": "lei",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "name",
                    "field": "name",
                    "type": {
                      "kind": "scalar",
                      "name": "String",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            },
            {
              "name": "status",
              "field": "status",
              "type": {
                "kind": "object",
                "name": "MessageStatusPolicyInput",
                "fields": [
                  {
                    "name": "emit_pacs002",
                    "field": "emitPacs002",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "emit_pain002",
                    "field": "emitPain002",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "enable_cancellation",
                    "field": "enableCancellation",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  },
                  {
                    "name": "enable_returns",
                    "field": "enableReturns",
                    "type": {
                      "kind": "scalar",
                      "name": "Boolean",
                      "nullable": true
                    },
                    "required": false
                  }
                ],
                "nullable": true
              },
              "required": false
            }
          ],
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation ConfigureOrganisation($config: OrganisationInput!) {
  configure_organisation: configureOrganisation(input: $config) {
    ... on Organisation {
      org {
        name
        jurisdiction
        lei
        default_message_families: defaultMessageFamilies
      }
      ledger {
        network
        asset {
          symbol
          decimals
          contract_address: contractAddress
        }
      }
      mapping {
        charge_bearer: chargeBearer
        purpose
        category_purpose: categoryPurpose
        structured_remittance: structuredRemittance
        debtor_defaults: debtorDefaults {
          name
          country
          lei
        }
        creditor_defaults: creditorDefaults {
          name
          country
          lei
        }
        assets {
          label
          chain
          currency
          dti
        }
      }
      status {
        emit_pain002: emitPain002
        emit_pacs002: emitPacs002
        enable_cancellation: enableCancellation
        enable_returns: enableReturns
      }
      anchoring {
        chains
      }
      evidence {
        store {
          mode
        }
      }
      id_strategy: idStrategy {
        end_to_end_id: endToEndId
        uetr
      }
      fx_policy: fxPolicy {
        mode
        base_ccy: baseCcy
        provider
      }
      compliance {
        travel_rule_threshold: travelRuleThreshold
        travel_rule_provider: travelRuleProvider
        travel_rule_enforce: travelRuleEnforce
        sanctions_provider: sanctionsProvider
        sanctions_enforce: sanctionsEnforce
      }
    }
  }
}`
  },
  {
    "name": "Nonce",
    "method": "GET",
    "path": "/v1/auth/nonce",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "sign_in_nonce",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query Nonce {
  sign_in_nonce: signInNonce {
    nonce
    domain
    chain_ids: chainIds
  }
}`
  },
  {
    "name": "RegisterProject",
    "method": "POST",
    "path": "/v1/projects/register",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "register_project",
    "feeds": {
      "input.name": [
        "body",
        "name"
      ],
      "input.message": [
        "body",
        "message"
      ],
      "input.signature": [
        "body",
        "signature"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "name",
        "name": "name",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "message",
        "name": "message",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "signature",
        "name": "signature",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation RegisterProject($name: String!, $message: String!, $signature: String!) {
  register_project: registerProject(
    input: { name: $name, message: $message, signature: $signature }
  ) {
    project {
      id
      name
      owner_wallet: ownerWallet
      created_at: createdAt
    }
    api_key: key
  }
}`
  },
  {
    "name": "SiweVerify",
    "method": "POST",
    "path": "/v1/auth/siwe-verify",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "verify_wallet",
    "feeds": {
      "input.message": [
        "body",
        "message"
      ],
      "input.address": [
        "body",
        "address"
      ],
      "input.nonce": [
        "body",
        "nonce"
      ],
      "input.signature": [
        "body",
        "signature"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "message",
        "name": "message",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "address",
        "name": "address",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Address",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "nonce",
        "name": "nonce",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      },
      {
        "variable": "signature",
        "name": "signature",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation SiweVerify($message: String, $address: Address, $nonce: String, $signature: String!) {
  verify_wallet: verifyWallet(
    input: { message: $message, address: $address, nonce: $nonce, signature: $signature }
  ) {
    linked
    address
    domain
    chain_id: chainId
  }
}`
  },
  {
    "name": "SiweMintKey",
    "method": "POST",
    "path": "/v1/auth/siwe-mint-key",
    "kind": "json",
    "status": 200,
    "access": "public",
    "root": "mint_api_key",
    "feeds": {
      "input.message": [
        "body",
        "message"
      ],
      "input.signature": [
        "body",
        "signature"
      ],
      "input.label": [
        "body",
        "label"
      ],
      "input.projectId": [
        "body",
        "project_id"
      ]
    },
    "headers": [
      {
        "key": "key",
        "header": "X-API-Key"
      }
    ],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "message",
        "name": "message",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "signature",
        "name": "signature",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": false
        },
        "required": true
      },
      {
        "variable": "label",
        "name": "label",
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
    ],
    "document": `mutation SiweMintKey($message: String!, $signature: String!, $label: String, $project_id: ID) {
  mint_api_key: mintApiKey(
    input: {
      message: $message
      signature: $signature
      label: $label
      projectId: $project_id
    }
  ) {
    id
    label
    role
    project_id: projectId
    created_at: createdAt
    key
  }
}`
  },
  {
    "name": "LinkedWallets",
    "method": "GET",
    "path": "/v1/auth/linked-wallets",
    "kind": "json",
    "status": 200,
    "access": "read",
    "root": "linked_wallets",
    "feeds": {},
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [],
    "document": `query LinkedWallets {
  linked_wallets: linkedWallets {
    address
    created_at: createdAt
  }
}`
  },
  {
    "name": "UnlinkWallet",
    "method": "DELETE",
    "path": "/v1/auth/linked-wallets/:address",
    "kind": "json",
    "status": 200,
    "access": "manage",
    "root": "unlink_wallet",
    "feeds": {
      "input.address": [
        "path",
        "address"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "address",
        "name": "address",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "Address",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation UnlinkWallet($address: Address!) {
  unlink_wallet: unlinkWallet(input: { address: $address }) {
    status
    address
  }
}`
  },
  {
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
    ],
    "document": `query Verify($bundle_url: URL, $bundle_hash: Hash32, $txid: Hash32) {
  verify_evidence: verifyEvidence(
    bundleUrl: $bundle_url
    bundleHash: $bundle_hash
    anchorTx: $txid
  ) {
    matches_onchain: matchesOnchain
    bundle_hash: bundleHash
    ledger_txid: anchorTx
    flare_txid: anchorTx
    anchored_at: anchoredAt
    errors
  }
}`
  },
  {
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
    ],
    "document": `query VerifyCid($cid: String!, $store: ContentStoreKind, $receipt_id: ID) {
  verify_content: verifyContent(cid: $cid, store: $store, receiptId: $receipt_id) {
    matches_onchain: matchesOnchain
    bundle_hash: bundleHash
    ledger_txid: anchorTx
    flare_txid: anchorTx
    anchored_at: anchoredAt
    errors
  }
}`
  },
  {
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
    "params": [],
    "document": `query EvidenceKeys {
  evidence_keys: evidenceKeys {
    chains {
      name
      caip2
      contract
      finality
      deployed_at_block: deployedAtBlock
      explorer_base_url: explorerBaseUrl
    }
    keys {
      key_id: keyId
      algorithm
      public_key_pem: publicKeyPem
      valid_from: validFrom
      valid_to: validTo
    }
  }
}`
  },
  {
    "name": "ConfirmAnchor",
    "method": "POST",
    "path": "/v1/iso/confirm-anchor",
    "kind": "json",
    "status": 200,
    "access": "manage",
    "root": "confirm_anchor",
    "feeds": {
      "input.receiptId": [
        "body",
        "receipt_id"
      ],
      "input.anchorTx": [
        "body",
        "ledger_txid"
      ],
      "input.chain": [
        "body",
        "chain"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
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
        "variable": "ledger_txid",
        "name": "ledger_txid",
        "olderName": "flare_txid",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Hash32",
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
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation ConfirmAnchor($receipt_id: ID!, $ledger_txid: Hash32!, $chain: String) {
  confirm_anchor: confirmAnchor(
    input: { receiptId: $receipt_id, anchorTx: $ledger_txid, chain: $chain }
  ) {
    receipt_id: id
    status
    ledger_txid: anchorTx
    flare_txid: anchorTx
    anchored_at: anchoredAt
  }
}`
  },
  {
    "name": "DebugAnchor",
    "method": "POST",
    "path": "/v1/debug/anchor",
    "kind": "json",
    "status": 200,
    "access": "admin",
    "root": "debug_anchor",
    "feeds": {
      "input.bundleHash": [
        "body",
        "bundle_hash"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "bundle_hash",
        "name": "bundle_hash",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "Hash32",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation DebugAnchor($bundle_hash: Hash32!) {
  debug_anchor: debugAnchor(input: { bundleHash: $bundle_hash }) {
    ledger_txid: anchorTx
    flare_txid: anchorTx
    block_number: blockNumber
  }
}`
  },
  {
    "name": "Camt056",
    "method": "POST",
    "path": "/v1/iso/camt056/:rid",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "generate_message",
    "feeds": {
      "input.receiptId": [
        "path",
        "rid"
      ],
      "input.reasonCode": [
        "body",
        "reason_code"
      ],
      "input.resolutionCode": [
        "body",
        "resolution_code"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
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
        "variable": "resolution_code",
        "name": "resolution_code",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation Camt056($rid: ID!, $reason_code: String, $resolution_code: String) {
  generate_message: generateMessage(
    input: {
      receiptId: $rid
      type: "camt.056"
      reasonCode: $reason_code
      resolutionCode: $resolution_code
    }
  ) {
    ... on GeneratedMessage {
      message_id: messageId
      type
      receipt_id: receiptId
      url
    }
  }
}`
  },
  {
    "name": "Camt029",
    "method": "POST",
    "path": "/v1/iso/camt029/:rid",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "generate_message",
    "feeds": {
      "input.receiptId": [
        "path",
        "rid"
      ],
      "input.reasonCode": [
        "body",
        "reason_code"
      ],
      "input.resolutionCode": [
        "body",
        "resolution_code"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
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
        "variable": "resolution_code",
        "name": "resolution_code",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation Camt029($rid: ID!, $reason_code: String, $resolution_code: String) {
  generate_message: generateMessage(
    input: {
      receiptId: $rid
      type: "camt.029"
      reasonCode: $reason_code
      resolutionCode: $resolution_code
    }
  ) {
    ... on GeneratedMessage {
      message_id: messageId
      type
      receipt_id: receiptId
      url
    }
  }
}`
  },
  {
    "name": "Pacs007",
    "method": "POST",
    "path": "/v1/iso/pacs007/:rid",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "generate_message",
    "feeds": {
      "input.receiptId": [
        "path",
        "rid"
      ],
      "input.reasonCode": [
        "body",
        "reason_code"
      ],
      "input.resolutionCode": [
        "body",
        "resolution_code"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
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
        "variable": "resolution_code",
        "name": "resolution_code",
        "in": "body",
        "type": {
          "kind": "scalar",
          "name": "String",
          "nullable": true
        },
        "required": false
      }
    ],
    "document": `mutation Pacs007($rid: ID!, $reason_code: String, $resolution_code: String) {
  generate_message: generateMessage(
    input: {
      receiptId: $rid
      type: "pacs.007"
      reasonCode: $reason_code
      resolutionCode: $resolution_code
    }
  ) {
    ... on GeneratedMessage {
      message_id: messageId
      type
      receipt_id: receiptId
      url
    }
  }
}`
  },
  {
    "name": "Pacs009",
    "method": "POST",
    "path": "/v1/iso/pacs009/:rid",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "generate_message",
    "feeds": {
      "input.receiptId": [
        "path",
        "rid"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
    "params": [
      {
        "variable": "rid",
        "name": "rid",
        "in": "path",
        "type": {
          "kind": "scalar",
          "name": "ID",
          "format": "uuid",
          "nullable": false
        },
        "required": true
      }
    ],
    "document": `mutation Pacs009($rid: ID!) {
  generate_message: generateMessage(input: { receiptId: $rid, type: "pacs.009" }) {
    ... on GeneratedMessage {
      message_id: messageId
      type
      receipt_id: receiptId
      url
    }
  }
}`
  },
  {
    "name": "Refund",
    "method": "POST",
    "path": "/v1/iso/refund",
    "kind": "json",
    "status": 200,
    "access": "write",
    "root": "refund_receipt",
    "feeds": {
      "input.originalReceiptId": [
        "body",
        "original_receipt_id"
      ],
      "input.reasonCode": [
        "body",
        "reason_code"
      ],
      "input.refundTx": [
        "body",
        "refund_tx_hash"
      ]
    },
    "headers": [],
    "eventId": null,
    "rewrite": null,
    "page": null,
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
    ],
    "document": `mutation Refund($original_receipt_id: ID!, $reason_code: String, $refund_tx_hash: String) {
  refund_receipt: refundReceipt(
    input: {
      originalReceiptId: $original_receipt_id
      reasonCode: $reason_code
      refundTx: $refund_tx_hash
    }
  ) {
    refund_receipt_id: id
    status
  }
}`
  }
]
