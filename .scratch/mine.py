import re
def res(p, choose):
    s=open(p).read(); i=[0]
    def r(m):
        out=choose(i[0],m.group(1),m.group(2)); i[0]+=1; return out
    s=re.sub(r"<<<<<<< HEAD\n(.*?)=======\n(.*?)>>>>>>> w9\n",r,s,flags=re.S)
    open(p,'w').write(s)
    print(p,i[0])
M='src/modules/'
head=lambda i,a,b:a
theirs=lambda i,a,b:b
def field(i,a,b):
    if i==0: return ""
    return a.replace("Told & { args: z.ZodObject }) => ({\n  ...declared(paid),\n  args: argumentsOf(args),","Told & { args: z.ZodObject; enums?: Parameters<typeof argumentsOf>[1] }) => ({\n  ...declared(paid),\n  args: argumentsOf(args, enums),").rstrip()+"\n\n"+b[b.index("/** What `@paid` shows"):]
res(M+'x402/field.ts',field)
s=open(M+'x402/field.ts').read()
s=s.replace("  extensions: { paid: true, endpoint },\n","  extensions: { paid: true, endpoint, ...priced(endpoint) },\n")
open(M+'x402/field.ts','w').write(s)
res(M+'anchoring/schema.ts',lambda i,a,b:["import { described } from '../../kit/enum-names.ts'\n"+a,b,a.replace("    ledgerTxid: t.exposeString('ledgerTxid', {\n      description: 'The transaction, 0x-prefixed.',\n      extensions: { answer: hash32 },\n    }),\n","    anchorTx: t.expose('ledgerTxid', { type: 'Hash32', description: 'The transaction, 0x-prefixed.' }),\n")][i])
def art(i,a,b):
    if i==0: return "import { ArtifactTypeEnum, GeneratedTypeEnum, MessageTypeEnum } from './enums.ts'\nimport { FileType } from './file-type.ts'\nimport { generateMessage } from './generate.ts'\n"
    return a[a.index("mutation('generateMessage'"):]
res(M+'artifacts/schema.ts',art)
res(M+'projects/schema.ts',lambda i,a,b:["import { described, textInRest } from '../../kit/enum-names.ts'\n"+a,a+"import { roleTexts } from './roles.ts'\n"][i])
res(M+'receipts/paid.ts',lambda i,a,b:a.replace('refundTxHash','refundTx'))
res(M+'receipts/recording.ts',lambda i,a,b:"import { described } from '../../kit/enum-names.ts'\n"+a.replace("import { receiptMatches,","import { type receiptMatches,"))
res(M+'receipts/refunds.ts',lambda i,a,b:a.replace('refundTxHash','refundTx'))
def signin(i,a,b):
    if i==0: return a
    return a.replace("t.exposeString('address', { description: 'The address of the wallet, lower-case.' })","t.expose('address', { type: 'Address', description: 'The address of the wallet, lower-case.' })")
res(M+'signin/schema.ts',signin)
s=open(M+'signin/schema.ts').read()
s=s.replace("    address: t.exposeString('address', { description: 'The wallet, lower-case.' }),","    address: t.expose('address', { type: 'Address', description: 'The wallet, lower-case.' }),")
s=s.replace("""    // Chain ids go beyond 32 bits.
    chainId: t.exposeFloat('chainId', {
      nullable: true,
      description: 'The Chain ID of the message, a whole number; null without a message.',
      extensions: { answer: wholeNumber },
    }),""","""    chainId: t.expose('chainId', {
      type: 'ChainId',
      nullable: true,
      description: 'The Chain ID of the message, a whole number; null without a message.',
    }),""")
open(M+'signin/schema.ts','w').write(s)
res(M+'signin/unlink.ts',lambda i,a,b:b.replace('export const','const'))
res('docs/webhooks.md',theirs)
res('rest/verification.graphql',lambda i,a,b:a.replace('ledgerTxid: $ledger_txid','anchorTx: $ledger_txid').replace('      ledgerTxid @older','      ledger_txid: anchorTx @older'))
res('rest/workflow.graphql',lambda i,a,b:a.replace('    url @described','    url @plain @described'))
res('rest/premium.graphql',lambda i,a,b:a.replace('refundTxHash','refundTx').replace('      type\n','      type @described(as: "`camt.053` for a whole day, `camt.052` for part of one.")\n'))
res('rest/statements.graphql',lambda i,a,b:a.replace('      type\n','      type @described(as: "`camt.053` for a whole day, `camt.052` for part of one.")\n'))
res('rest/signin.graphql',lambda i,a,b:a.replace('address: unlinkedAddress @described','address: unlinkedAddress @plain @described'))
