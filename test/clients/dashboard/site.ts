// The server of the site that the dashboard belongs to.
import { createServer } from 'node:http'

// A route of your own site, behind your own sign-in.
async function newSession() {
  const answer = await fetch(`${process.env.QUITTANCE_URL}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': process.env.QUITTANCE_KEY ?? '' },
    body: JSON.stringify({
      query: 'mutation { createSession(input: { role: PROJECT }) { token session { id expiresIn } } }',
    }),
  })
  const { data, errors } = await answer.json()
  if (errors) throw new Error(errors[0].message)
  return data.createSession // { token, session: { id, expiresIn } }
}

const server = createServer(async ({ url, method }, response) => {
  if (url !== '/session' || method !== 'POST') return response.writeHead(404).end()
  response.end(JSON.stringify(await newSession()))
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
