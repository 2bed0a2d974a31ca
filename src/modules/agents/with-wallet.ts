// The agent of a project that has a wallet, in SQL.

/** Returns the id as a text; an empty one where there is none. Of several agents with the wallet, the oldest. */
export const agentWithWallet = (wallet: string, project: string): string =>
  `coalesce((select id::text from agents where wallet_address = ${wallet} and project_id = ${project}
    and deleted_at is null order by created_at, id limit 1), '')`
