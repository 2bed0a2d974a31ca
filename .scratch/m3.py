import re
def res(p, choose):
    s=open(p).read(); i=[0]
    def r(m):
        out=choose(i[0],m.group(1),m.group(2)); i[0]+=1; return out
    s=re.sub(r"<<<<<<< HEAD\n(.*?)=======\n(.*?)>>>>>>> main\n",r,s,flags=re.S)
    open(p,'w').write(s); print(p,i[0])
def sub(p,*pairs):
    s=open(p).read()
    for a,b in pairs:
        if a not in s: print('MISSING',p,a[:60])
        s=s.replace(a,b)
    open(p,'w').write(s)
def arch(i,a,b):
    if i==0:
        w=a.split('\n')[0]+'\n'
        bl=b.split('\n')
        return w+bl[1]+'\n'+bl[2].replace('made with `paidField`, whose','made with `paidField` or `paidMutation`, whose')+'\n'
    return b.replace('`npm run check` names a root field','`npm run check` names a field, argument or enum value without a description, a name in another style, a root field')
res('ARCHITECTURE.md',arch)
res('codegen.ts',lambda i,a,b:b.replace("  const [{ lexicographicSortSchema, printSchema }, { errorCodes }, { schema }, sdk, registry, { files, unexampled }] =","  const [{ errorCodes }, { schema }, { printedSchema }, sdk, registry, { files, unexampled }] =").replace("      import('graphql'),\n","").replace("      import('./src/graphql/schema.ts'),\n","      import('./src/graphql/schema.ts'),\n      import('./src/graphql/sdl.ts'),\n").replace("`${printSchema(lexicographicSortSchema(schema))}\\n`","printedSchema(schema)"))
sub('codegen.ts',("  const [{ schema }, { generateRest, RestErrors }, { examplesForm }]","  const [{ restSchema }, { generateRest, RestErrors }, { examplesForm }]"),("generateRest({ schema, directory: 'rest'","generateRest({ schema: restSchema, directory: 'rest'"))
res('package.json',lambda i,a,b:a+b)
res('src/http/application.ts',lambda i,a,b:b.replace("    schema,\n","    schema: restSchema,\n"))
res('src/http/mcp.ts',lambda i,a,b:b.replace('mcpServer(schema, tools)','mcpServer(restSchema, tools)'))
res('src/kit/verb.ts',lambda i,a,b:a.replace('perform<','runVerb<'))
res('src/modules/iso20022/messages/parts.ts',lambda i,a,b:b)
res('src/modules/settings/organisation.ts',lambda i,a,b:["import { messageTexts } from '../../core/message-texts.ts'\n","const reportTexts = Object.fromEntries(reportTypes.map(type => [type, messageTexts[type]]))\n\n"][i])
sub('src/modules/iso20022/configuration.ts',
("  .meta({ graphql: 'ChargeBearer', description: 'The bearer of the charges, as an ISO 20022 code.' })","""  .meta({
    graphql: 'ChargeBearer',
    description: 'The bearer of the charges, as an ISO 20022 code.',
    values: {
      SLEV: 'Following the service level.',
      SHAR: 'Shared by payer and recipient.',
      DEBT: 'Borne by the payer.',
      CRED: 'Borne by the recipient.',
    },
  })"""),
("  .meta({ graphql: 'EndToEndIdSource', description: 'The source of EndToEndId.' })","""  .meta({
    graphql: 'EndToEndIdSource',
    description: 'The source of EndToEndId.',
    values: { reference: 'The reference of the receipt.', receipt_id: 'The id of the receipt.' },
  })"""),
("const uetr = z.enum(['receipt_id', 'settlement']).meta({ graphql: 'UetrSource', description: 'The source of UETR.' })","""const uetr = z.enum(['receipt_id', 'settlement']).meta({
  graphql: 'UetrSource',
  description: 'The source of UETR.',
  values: {
    receipt_id: 'The id of the receipt.',
    settlement: 'Chain, transaction, wallets and amount of the payment.',
  },
})"""))
res('src/rest/failure.ts',lambda i,a,b:[a.replace('const told','const reported'),"  return isHidden && appErrorIn(reported)?.code === 'forbidden' ? new AppError('not_found') : reported\n"][i])
res('src/rest/prepared.ts',lambda i,a,b:"""// Prepares the GraphQL operation of a route at the start: analyses its cost and compiles it, so that a request only runs
// it.
import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  subscribe,
} from 'graphql'
import { compiledQuery } from '../kit/compiled-query.ts'
""")
res('src/web/receipt.js',lambda i,a,b:b.replace('bundleHash, txid }','bundleHash, anchorTx }'))
sub('src/web/receipt.graphql',("    tipTxHash\n    refundTxHash\n","    settlementTx\n    refundTx\n"),("    ledgerTxid\n","    anchorTx\n"),("      tipTxHash\n","      settlementTx\n"),("      txid\n","      anchorTx\n"),("query VerifyReceipt($bundleUrl: String, $bundleHash: String, $txid: String) {\n  verifyEvidence(bundleUrl: $bundleUrl, bundleHash: $bundleHash, txid: $txid) {","query VerifyReceipt($bundleUrl: URL, $bundleHash: Hash32, $anchorTx: Hash32) {\n  verifyEvidence(bundleUrl: $bundleUrl, bundleHash: $bundleHash, anchorTx: $anchorTx) {"))
def acc(i,a,b):
    if i==0: return b
    l=a.split('\n'); bl=b.split('\n')
    return l[0]+'\n'+'\n'.join(bl[1:5])+'\n'+l[1]+'\n'
res('test/http/access.test.ts',acc)
sub('src/kit/mutation.ts',("import { perform, type Verb } from './verb.ts'","import { runVerb, type Verb } from './verb.ts'"),("=> perform(context","=> runVerb(context"))
sub('src/modules/artifacts/enums.ts',("import { generatedTypes } from './generate.ts'","import { requestedTypes } from '../iso20022/messages/registry.ts'"),("generatedTypes.map","requestedTypes.map"))
# sessions
p='src/modules/sessions/schema.ts'; s=open(p).read()
a=s.index("const payload = (name: string")
s=s[:a]+"""const created: Payload<{ session: Session; token: string }> = t => ({
  session: t.expose('session', { type: SessionType, description: 'The session.' }),
  token: t.exposeString('token', { description: 'The token, for the header `Authorization: Bearer`. Shown only here.' }),
})

mutation('createSession', {
  ...performs(createSession),
  description:
    'Creates a session of the caller’s project for a browser, with the role of the API key or a lower one. It expires after 15 minutes, or with the API key if that is earlier. A project has at most 10,000 live sessions.',
  takes: 'A session to create.',
  enums: { role: RoleEnum },
  errors: [
    ['forbidden', 'a session calls, or the role is higher than that of the API key'],
    'project_key_required',
    'too_many_sessions',
  ],
  extensions: { cost: 10 },
  payload: created,
})

mutation('signIn', {
  ...performs(signIn),
  description:
    'Creates a session for the wallet that owns the project. The message is as in `registerProject`. The session expires after 15 minutes.',
  takes: 'A wallet that signs in to its project.',
  enums: { role: RoleEnum },
  errors: [
    'invalid_signature',
    ['not_found', 'the wallet owns no project, or not this project'],
    'too_many_sessions',
    'chain_unavailable',
    'too_many_requests',
    ['validation_failed', 'the wallet owns several projects and the input names none'],
  ],
  extensions: { cost: 10, signatures: 1 },
  payload: created,
})

mutation('revokeSession', {
  ...performs(revokeSession),
  description:
    'Revokes a session; it stops working within a second, and its streams end. A session may revoke itself, an API key the sessions that it made, and a caller with manage access every session of the project.',
  takes: 'A session to revoke.',
  errors: ['forbidden', ['not_found', 'also when the session has expired'], 'validation_failed'],
  payload: t => ({
    session: t.field({ type: SessionType, description: 'The revoked session.', resolve: session => session }),
  }),
})
"""
s=s.replace("import { inputType } from '../../kit/input.ts'\nimport { declarationOf, runVerb } from '../../kit/verb.ts'\n","import { mutation, type Payload, performs } from '../../kit/mutation.ts'\n")
s=s.replace("import { createSession, createSessionInput } from","import { createSession } from").replace("import { revokeSession, revokeSessionInput } from","import { revokeSession } from").replace("import { signIn, signInInput } from","import { signIn } from")
s=s.replace("""  t.relatedConnection('sessions', {
    cursor: 'id',
    maxSize: 100,
    defaultSize: 20,
    totalCount: true,
    authScopes: project => ({ $all: { access: 'manage', project: project.id } }),
    query: () => ({ where: liveSession(), orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }),
    extensions: { listSize: connectionSize(20, 100), cost: 1 },
    description: 'The live sessions of the project, newest first. Needs manage access.',
  }),
""","""  t.relatedConnection(
    'sessions',
    {
      cursor: 'id',
      maxSize: 100,
      defaultSize: 20,
      totalCount: true,
      authScopes: project => ({ $all: { access: 'manage', project: project.id } }),
      query: () => ({ where: liveSession(), orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }),
      extensions: { listSize: connectionSize(20, 100), cost: 1 },
      description: 'The live sessions of the project, newest first. Needs manage access.',
    },
    connectionType(SessionType, 'Session', 'A session'),
  ),
""").replace("import { builder } from '../../kit/builder.ts'\n","import { builder } from '../../kit/builder.ts'\nimport { connectionType } from '../../kit/connection-type.ts'\n")
open(p,'w').write(s)
