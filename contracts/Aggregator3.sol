// SPDX-License-Identifier: MIT
// Combines many calls in one, with the two functions of Multicall3 that x402 and wallets use. The local chain has this
// contract at the address of Multicall3 on public chains. For reading only; it has no storage and accepts no money.
pragma solidity 0.8.37;

contract Aggregator3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    // The revert reasons are those of Multicall3, because callers may know them.
    function tryAggregate(bool requireSuccess, Call[] calldata calls) external returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData);
            require(results[i].success || !requireSuccess, "Multicall3: call failed");
        }
    }

    function aggregate3(Call3[] calldata calls) external returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData);
            require(results[i].success || calls[i].allowFailure, "Multicall3: call failed");
        }
    }

    function _call(address target, bytes calldata callData) private returns (Result memory result) {
        (result.success, result.returnData) = target.call(callData);
    }
}
