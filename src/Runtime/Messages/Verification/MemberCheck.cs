using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The verification of a member.</summary>
/// <param name="name">The member's name.</param>
internal abstract class MemberCheck(string name)
{
    /// <summary>The member's name.</summary>
    public string Name { get; } = name;

    /// <summary>Verifies the member in a block of its type.</summary>
    public abstract bool Verify(ref MessageVerifier verifier, BlockReader block);
}

/// <summary>The verification of a value of fixed size for which some bit patterns are invalid.</summary>
internal sealed class ValueMember(SchemaMember member, ValueCheck value) : MemberCheck(member.Name!)
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader block) =>
        !block.Holds(member.Offset, member.Size) || value.Value(ref verifier, verifier.PositionOf(block) + member.Offset);
}

/// <summary>The verification of a value of fixed size that may be null.</summary>
internal sealed class NullableMember(SchemaMember member, ValueCheck value) : MemberCheck(member.Name!)
{
    private readonly int _presenceBit = member.PresenceBit.GetValueOrDefault();

    public override bool Verify(ref MessageVerifier verifier, BlockReader block)
    {
        if (!block.Holds(member.Offset, member.Size) || !block.Holds(_presenceBit >> 3, 1))
        {
            return true;
        }

        var position = verifier.PositionOf(block);
        return value.Nullable(ref verifier, position + member.Offset, verifier.IsPresent(position, _presenceBit));
    }
}

/// <summary>The verification of a payload that a slot leads to.</summary>
internal sealed class PayloadMember(SchemaMember member, PayloadCheck payload) : MemberCheck(member.Name!)
{
    public override bool Verify(ref MessageVerifier verifier, BlockReader block) => payload.Verify(ref verifier, block, member.Offset);
}
