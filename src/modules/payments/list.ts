// Payments as a connection: of the caller, and of a project; and the payment of a receipt.
import { ownedBy } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { fromOffset } from '../../kit/connections.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { asRelation } from '../../kit/sql/index.ts'
import { paymentListArguments, paymentQuery } from './filter.ts'
import { PaymentType } from './type.ts'

export const PaymentConnection = connectionType(PaymentType, 'Payment', 'A payment')
const search = { usualOrder: 'verifiedAt' }

builder.queryField('payments', t =>
  t.prismaConnection(
    {
      type: PaymentType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 50,
      totalCount: (_, args, { db, principal }) =>
        db.payment.count({
          where: { ...paymentQuery(parse(paymentListArguments, args)).where, ...ownedBy(principal) },
        }),
      description:
        'x402 payments to this service, newest first, at most 200 a page: those of the caller’s project, or all for a service administrator.',
      args: argumentsOf(paymentListArguments),
      access: 'read',
      input: paymentListArguments,
      errors: [],
      extensions: {
        listSize: connectionSize(50, 200),
        search,
      },
      resolve: (query, _, args, { db, principal }) => {
        const { where, orderBy } = paymentQuery(parse(paymentListArguments, args))
        return db.payment.findMany({ ...fromOffset(query, args), where: { ...where, ...ownedBy(principal) }, orderBy })
      },
    },
    PaymentConnection,
  ),
)

builder.prismaObjectField('Project', 'payments', t =>
  t.relatedConnection(
    'payments',
    {
      cursor: 'id',
      maxSize: 200,
      defaultSize: 50,
      totalCount: true,
      authScopes: project => ({ project: project.id }),
      args: argumentsOf(paymentListArguments),
      query: args => paymentQuery(parse(paymentListArguments, args)),
      extensions: { listSize: connectionSize(50, 200), cost: 1, search },
      description: 'The x402 payments of the project to this service, newest first.',
    },
    PaymentConnection,
  ),
)

builder.prismaObjectField('Receipt', 'payment', t =>
  t.field({
    type: PaymentType,
    nullable: true,
    select: (_, __, nested) => ({ payments: nested({ orderBy: { verifiedAt: 'asc' }, take: 1 }) }),
    extensions: asRelation('payments'),
    authScopes: receipt => ({ project: receipt.projectId }),
    description: 'The x402 payment to this service that the receipt records; null for any other payment.',
    resolve: ({ payments: [payment = null] }) => payment,
  }),
)
