// The hand-written statements of bench/nested.ts: each builds the whole response as text. $1 is the id of the project
// or the receipt, $2 the base of URLs; a statement without URLs ignores it.

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const list = (select: string) => `(select coalesce(json_agg(row_to_json(entry)), '[]') from (${select}) as entry)`
const object = (select: string) => `(select row_to_json(entry) from (${select}) as entry)`

const artifacts = (columns: string) =>
  `json_build_object('nodes', ${list(`select ${columns} from artifacts a where a.receipt_id = r.id
    order by a.created_at desc, a.id desc limit 20`)})`
const artifactType = `upper(replace(a.type, '.', '_')) as type`
const artifactUrl = `$2 || '/files/' || a.receipt_id || '/' || a.name as url`

const anchors = (columns: string) =>
  list(`select ${columns} from anchors n left join anchor_transactions t on t.id = n.transaction_id
    where n.receipt_id = r.id order by n.created_at, n.id`)

const anchorStatus = `case when n.state = 'confirmed' then 'FINAL'
  else coalesce(case when t.finality = 'final' then 'SAFE' else upper(t.finality::text) end, upper(n.state::text)) end as status`

const amountAndStatus = 'upper(r.status::text) as status, trim_scale(r.amount)::text as amount'
const times = `${moment('r.created_at')} as "createdAt", ${moment('r.anchored_at')} as "anchoredAt"`
const usesBase = '$2::text is not null'

export const statements = {
  dashboard: `select json_build_object('data', json_build_object('receipts', json_build_object('nodes', ${list(`
    select r.id, ${amountAndStatus}, ${artifacts(`${artifactType}, ${artifactUrl}, a.sha256`)} as artifacts,
      ${anchors('t.txid as "anchorTx", t.block_number as "blockNumber"')} as anchors,
      ${object('select p.name from projects p where p.id = r.project_id')} as project
    from receipts r where r.project_id = $1 order by r.created_at desc, r.id desc limit 20`)})))::text as body`,

  deep: `select json_build_object('data', json_build_object('me', json_build_object('project', ${object(`
    select p.id, p.name, ${moment('p.created_at')} as "createdAt", json_build_object('nodes', ${list(`
      select r.id, ${amountAndStatus}, r.currency, r.reference, ${moment('r.created_at')} as "createdAt",
        ${artifacts(`${artifactType}, a.version, a.name, a.sha256`)} as artifacts,
        ${anchors(`n.chain, ${anchorStatus}, case when t.id is not null then json_build_object(
          'hash', t.txid, 'blockNumber', t.block_number, 'blockTime', ${moment('t.block_time')},
          'status', case t.state when 'confirmed' then 'FINAL' when 'signed' then coalesce(upper(t.finality::text), 'SIGNED')
            else upper(t.state::text) end
        ) end as transaction`)} as anchors,
        json_build_object('nodes', ${list(`
          select upper(replace(e.type, '.', '_')) as type, upper(coalesce(e.status, r.status)::text) as status,
            e.bundle_hash as "bundleHash", ${moment('e.created_at')} as "occurredAt"
          from events e where e.receipt_id = r.id order by e.id limit 10`)}) as events,
        ${object(`
          select y.id, upper(y.status::text) as status, trim_scale(y.amount)::text as amount, y.payer,
            ${moment('y.verified_at')} as "verifiedAt"
          from payments y where y.receipt_id = r.id order by y.verified_at limit 1`)} as payment
      from receipts r where r.project_id = p.id order by r.created_at desc, r.id desc limit 10`)}) as receipts
    from projects p where p.id = $1 and ${usesBase}`)})))::text as body`,

  // The entry after the last one shows whether there is a next page.
  page: `with r as (
      select *, row_number() over (order by amount desc, id desc) as place from receipts
      where project_id = $1 and status = 'anchored' and chain_key = 'eip155:8453' and ${usesBase}
      order by amount desc, id desc limit 101
    )
    select json_build_object('data', json_build_object('receipts', json_build_object(
      'nodes', ${list(`
        select r.id, ${amountAndStatus}, r.currency, r.reference, r.sender_wallet as "senderWallet",
          r.receiver_wallet as "receiverWallet", ${times}
        from r order by r.place limit 100`)},
      'pageInfo', (select json_build_object('hasNextPage', count(*) > 100, 'endCursor', encode(convert_to(
        'GPC:S:' || (array_agg(r.id order by r.place))[least(100, count(*))], 'UTF8'), 'base64')) from r)
    )))::text as body`,

  aggregate: `with sums as (
      select status, currency, count(*)::int as count,
        coalesce(sum(amount) filter (where refund_of_id is null and status <> 'failed'), 0) as amount
      from receipts where project_id = $1 and ${usesBase} group by status, currency
    )
    select json_build_object('data', json_build_object('receiptStats', json_build_object('nodes', coalesce(json_agg(row_to_json(entry)), '[]'))))::text as body
    from (
      select json_build_object('status', upper(status::text)) as key, sum(count)::int as count, json_agg(json_build_object(
        'currency', currency, 'count', count, 'gross', trim_scale(amount)::text
      ) order by currency collate "C") as sums
      from sums group by status order by upper(status::text) collate "C"
    ) as entry`,

  receipt: `select json_build_object('data', json_build_object('receipt', ${object(`
    select r.id, ${amountAndStatus}, r.currency, r.reference, ${times},
      ${artifacts(`${artifactType}, ${artifactUrl}, a.sha256`)} as artifacts,
      ${anchors(`n.chain, ${anchorStatus}, t.txid as "anchorTx", t.block_number as "blockNumber"`)} as anchors
    from receipts r where r.id = $1`)}))::text as body`,
}

export type DocumentName = keyof typeof statements
