import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * Resolves with the response to a request as soon as its headers have arrived. Request and response keep their error
 * listeners, because either may fail just when the response begins and an unhandled error event ends the process.
 * `once` of node:events would remove its listeners before that.
 */
export const answerTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((done, failed) => {
    request.on('error', failed)
    // The request was closed without a response, for example after 101. After a response, this has no effect.
    request.on('close', () => failed(new Error('no answer')))
    request.on('response', response => {
      // The code that reads the body receives the error as well.
      response.on('error', () => undefined)
      done(response)
    })
  })
