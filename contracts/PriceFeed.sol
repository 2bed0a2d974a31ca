// SPDX-License-Identifier: MIT
// A price feed with one exchange rate and the interface of Chainlink's feeds, for chains without a published rate.
pragma solidity 0.8.37;

contract PriceFeed {
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error NotOwner();
    /// Only the latest round is kept.
    error NoDataPresent();

    uint256 public constant version = 1;
    address public immutable owner;
    /// Digits of the answer after the decimal point.
    uint8 public immutable decimals;
    /// Such as `FLR / USD`: the value of one unit of the first in units of the second.
    string public description;

    int256 private latestAnswer;
    uint80 private latestRound;
    uint64 private latestTime;

    constructor(string memory description_, uint8 decimals_, address owner_, int256 answer) {
        description = description_;
        decimals = decimals_;
        owner = owner_;
        update(answer);
    }

    function setAnswer(int256 answer) external {
        if (msg.sender != owner) revert NotOwner();
        update(answer);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return (latestRound, latestAnswer, latestTime, latestTime, latestRound);
    }

    function getRoundData(uint80 round)
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        if (round != latestRound) revert NoDataPresent();
        return (latestRound, latestAnswer, latestTime, latestTime, latestRound);
    }

    function update(int256 answer) private {
        latestAnswer = answer;
        latestRound += 1;
        latestTime = uint64(block.timestamp);
        emit AnswerUpdated(answer, latestRound, block.timestamp);
    }
}
