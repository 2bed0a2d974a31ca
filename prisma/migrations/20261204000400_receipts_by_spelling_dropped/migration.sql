-- A transaction after those that build the indexes, because this lock keeps readers out as well: it is short.
DROP INDEX receipts_settlement_key,
  receipts_project_id_chain_created_at_id_idx,
  receipts_project_id_sender_wallet_created_at_id_idx,
  receipts_project_id_receiver_wallet_created_at_id_idx,
  receipts_project_id_tip_tx_hash_idx,
  receipts_sent,
  receipts_received;
ALTER INDEX receipts_sent_new RENAME TO receipts_sent;
ALTER INDEX receipts_received_new RENAME TO receipts_received;
