# Many calls that get no answer, beside one that does.
import asyncio
import os

from quittance_client import AsyncQuittance, QuittanceError

# Longer than a test may take: the program must end without these calls.
silent = AsyncQuittance(os.environ["BASE"], timeout=600)
other = AsyncQuittance(os.environ["BASE"] + "/under")


async def main():
    calls = [asyncio.create_task(silent.organisation()) for _ in range(50)]
    events = other.events("late")
    print((await anext(events)).data["status"])
    try:
        await other.ping()
    except QuittanceError as error:
        print(error.code)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    print(all(call.cancelled() for call in calls))
    await events.aclose()


asyncio.run(main())
