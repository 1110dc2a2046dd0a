using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>The limit that ends the walk over a source that contains itself before the stack does.</summary>
internal static class DepthLimit
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Check(int depth)
    {
        if (depth > WireFormat.MaxDepth)
        {
            Throw();
        }
    }

    [DoesNotReturn]
    private static void Throw() => throw new MessageTooDeepException();
}
