using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The conversion of the view of a stored value into a type of the user. For generated code.</summary>
/// <typeparam name="T">The type of the user; with a question mark if a null is stored as null.</typeparam>
/// <typeparam name="TView">The view of the stored value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IViewConverter<T, TView>
    where TView : allows ref struct
{
    /// <summary>Gets the name of the member, for exceptions.</summary>
    static abstract string Member { get; }

    /// <summary>Converts a view.</summary>
    static abstract T FromView(TView view);
}

/// <summary>The conversion between a type of the user and a type that messages store. For generated code.</summary>
/// <typeparam name="T">The type of the user; with a question mark if a null is stored as null.</typeparam>
/// <typeparam name="TWire">The type that messages store.</typeparam>
/// <typeparam name="TView">The view of the stored value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireConverter<T, TWire, TView> : IViewConverter<T, TView>
    where TView : allows ref struct
{
    /// <summary>Converts to the type that is stored.</summary>
    static abstract TWire ToWire(T value);

    /// <summary>Converts from the type that is stored. A string or bytes are never null.</summary>
    static abstract T FromWire(TWire value);
}
