// The ISO 20022 messages that the service makes, with their names.

export const messageTexts = {
  'pain.001': 'Customer credit transfer initiation.',
  'pain.002': 'Customer payment status report.',
  'pain.007': 'Customer payment reversal.',
  'pain.008': 'Customer direct debit initiation.',
  'pacs.002': 'Payment status report between financial institutions.',
  'pacs.004': 'Payment return.',
  'pacs.007': 'Payment reversal between financial institutions.',
  'pacs.008': 'Customer credit transfer between financial institutions.',
  'pacs.009': 'Credit transfer of financial institutions.',
  'camt.029': 'Resolution of investigation.',
  'camt.052': 'Account report: the statement of part of a day.',
  'camt.053': 'Statement of a whole day.',
  'camt.054': 'Debit and credit notification.',
  'camt.056': 'Payment cancellation request.',
  'remt.001': 'Remittance advice.',
}
