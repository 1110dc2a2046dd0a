using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// The verification of blocks of a message type, by the same steps as the generated view, in the same order. Immutable once it is filled.
/// </summary>
/// <param name="blockBytes">Size of the block as the schema has it.</param>
internal sealed class BlockCheck(int blockBytes)
{
    private MemberCheck[] _members = [];
    private BlockRemains[] _remains = [];

    /// <summary>Sets the members, which may be of types that refer to this one.</summary>
    /// <param name="members">The members that can break a rule, in ordinal order.</param>
    /// <param name="remains">The bytes and bits that no member owns.</param>
    public void Fill(IEnumerable<MemberCheck> members, IEnumerable<BlockRemains> remains)
    {
        _members = [.. members];
        _remains = [.. remains];
    }

    /// <summary>Verifies a block and the payloads of its members.</summary>
    public bool Verify(ref MessageVerifier verifier, BlockReader block)
    {
        if (!verifier.Block(block, blockBytes))
        {
            return false;
        }

        foreach (var member in _members)
        {
            if (!member.Verify(ref verifier, block))
            {
                return verifier.In(member.Name);
            }
        }

        foreach (var remains in _remains)
        {
            var isClear = remains.Mask is { } mask ? verifier.UnusedBits(block, remains.Offset, mask) : verifier.Hole(block, remains.Offset, remains.Bytes);
            if (!isClear)
            {
                return false;
            }
        }

        return true;
    }
}
