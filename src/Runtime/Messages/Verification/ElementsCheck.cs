using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The verification of the elements of a list, or of the values of a dictionary.</summary>
internal abstract class ElementsCheck
{
    /// <summary>Verifies the elements.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="position">Their claimed position.</param>
    /// <param name="count">Their number; never 0.</param>
    public abstract bool Verify(ref MessageVerifier verifier, ulong position, uint count);
}

/// <summary>The verification of values of fixed size.</summary>
internal sealed class ValueElementsCheck(ValueCheck value) : ElementsCheck
{
    public override bool Verify(ref MessageVerifier verifier, ulong position, uint count) => value.Values(ref verifier, position, count);
}

/// <summary>The verification of values of fixed size that may be null.</summary>
internal sealed class NullableElementsCheck(ValueCheck value) : ElementsCheck
{
    public override bool Verify(ref MessageVerifier verifier, ulong position, uint count) => value.Nullables(ref verifier, position, count);
}

/// <summary>The verification of the payloads of an array of slots.</summary>
internal sealed class SlotElementsCheck(PayloadCheck payload) : ElementsCheck
{
    public override bool Verify(ref MessageVerifier verifier, ulong position, uint count)
    {
        if (!verifier.SlotArray(position, count, out var slots) || !verifier.HasStack())
        {
            return false;
        }

        for (var i = 0; i < count; i++)
        {
            if (!payload.Verify(ref verifier, slots, i * WireFormat.SlotBytes))
            {
                return verifier.In(i);
            }
        }

        return true;
    }
}

/// <summary>The verification of a list of messages.</summary>
internal sealed class MessageElementsCheck(BlockCheck type) : ElementsCheck
{
    public override bool Verify(ref MessageVerifier verifier, ulong position, uint count)
    {
        if (!verifier.BlockArray(position, count, out var first, out var blockBytes, out var bitmap))
        {
            return false;
        }

        for (var i = 0; i < count; i++)
        {
            var at = first + (i * blockBytes);
            var isValid = bitmap == 0 || verifier.IsPresent(bitmap, i)
                ? type.Verify(ref verifier, verifier.BlockAt(at, blockBytes))
                : verifier.Zeros(at, blockBytes, WireRule.AbsentMessage);
            if (!isValid)
            {
                return verifier.In(i);
            }
        }

        return verifier.Leave();
    }
}
