// SQL: which receipts of a project are compared.

/**
 * Returns whether the receipt counts for the coverage `of`: recorded before it began, on its chain, with a label of its
 * asset. A receipt that failed or that another one stands for records nothing, and neither does a refund that is only
 * announced.
 */
export const counts = (r: string, of: string) => `${r}.chain_key = ${of}.chain_key and ${r}.currency = any(${of}.labels)
  and ${r}.created_at <= ${of}.created_at and ${r}.status <> 'failed' and ${r}.counted_as_id is null
  and (${r}.refund_of_id is null or ${r}.refund_tx_hash is not null)`
