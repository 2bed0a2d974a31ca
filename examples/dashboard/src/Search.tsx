// Finds receipts and agents by anything that names them.
import { useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { trusted } from './client.ts'
import { searchDocument } from './documents.ts'

const search = trusted(searchDocument)
const pauseMs = 250

export function Search() {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const [{ data, error }] = useQuery({ query: search, variables: { text: asked }, pause: asked === '' })
  const isOpen = asked !== '' && text !== ''
  return (
    <search>
      <input
        type="search"
        aria-label="Search"
        placeholder="Reference, transaction, hash, wallet, id"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      {isOpen && (error || data?.search) && (
        <ul>
          {error && <li role="alert">{error.message}</li>}
          {data?.search?.length === 0 && <li>Nothing has this name.</li>}
          {data?.search?.map(({ node, match }) => (
            <li key={node.id}>
              {node.__typename === 'Receipt' ? (
                <a href={`#/receipts/${node.id}`} onClick={() => setText('')}>
                  {node.reference} · {node.amount} {node.currency}
                </a>
              ) : node.__typename === 'Agent' ? (
                <>Agent {node.name}</>
              ) : (
                <>
                  {node.__typename} {node.id}
                </>
              )}{' '}
              <small>by {match.toLowerCase().replaceAll('_', ' ')}</small>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
