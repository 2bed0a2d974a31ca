import type { ClientRequest, IncomingMessage } from 'node:http'

/**
 * The answer to a request, as soon as its head is there. Request and response may fail in the very moment in which the answer
 * begins, and an error that nobody hears ends the process: `once` stops listening before that.
 */
export const answerTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((done, failed) => {
    request.on('error', failed)
    // Closed without an answer, such as after 101: once there is an answer this says nothing.
    request.on('close', () => failed(new Error('no answer')))
    request.on('response', response => {
      // The reader of the response is told.
      response.on('error', () => undefined)
      done(response)
    })
  })
